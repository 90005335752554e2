import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { WorkspaceSettings } from "@toolhost/contract";
import type { ReactNode } from "react";
import { send } from "#api/client";
import { errorMessage } from "#api/problem";
import { Switch } from "#components/fields";
import { Card } from "#components/page";
import { showToast } from "#components/toasts";

type Props = { workspaceId: string; isOn: boolean; isManaged: boolean };

/** Whether updates of installed tools are accepted without a person. */
export function UpdatesCard({ workspaceId, isOn, isManaged }: Props): ReactNode {
  const client = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: (autoAcceptUpdates: boolean) =>
      send<WorkspaceSettings>("PATCH", `/workspaces/${workspaceId}/settings`, {
        body: { autoAcceptUpdates },
      }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["workspaces", workspaceId, "settings"] });
      showToast("Settings saved");
    },
    onError: (error) => showToast(errorMessage(error), "bad"),
  });
  return (
    <Card title="Updates of installed tools">
      <p className="text-sm text-soft">
        An installed tool stays on its version until someone who builds tools accepts an update. An
        update that asks for nothing new has no new hosts or credentials and no looser limits, and
        keeps its inputs, outputs and descriptions; its code may differ.
      </p>
      {isManaged ? (
        <Switch isSelected={isOn} isDisabled={isPending} onChange={(on) => mutate(on)}>
          Accept updates that ask for nothing new automatically
        </Switch>
      ) : (
        <p className="text-sm">
          {isOn
            ? "Updates that ask for nothing new are accepted automatically."
            : "Every update is reviewed by a person."}
        </p>
      )}
    </Card>
  );
}
