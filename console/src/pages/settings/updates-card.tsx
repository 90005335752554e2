import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { api } from "#api/client";
import { errorMessage } from "#api/problem";
import { Switch } from "#components/fields";
import { Card } from "#components/page";
import { showToast } from "#components/toasts";
import { messages } from "./messages.ts";

type Props = { workspaceId: string; isOn: boolean; isManaged: boolean };

/** Whether updates of installed tools are accepted without a review. */
export function UpdatesCard({ workspaceId, isOn, isManaged }: Props): ReactNode {
  const client = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: (autoAcceptUpdates: boolean) =>
      api.send("PATCH /workspaces/{id}/settings", {
        params: { id: workspaceId },
        body: { autoAcceptUpdates },
      }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["workspaces", workspaceId, "settings"] });
      showToast(messages.updates.saved);
    },
    onError: (error) => showToast(errorMessage(error), "bad"),
  });
  return (
    <Card title={messages.updates.title}>
      <p className="text-sm text-soft">{messages.updates.lead}</p>
      {isManaged ? (
        <Switch isSelected={isOn} isDisabled={isPending} onChange={(on) => mutate(on)}>
          {messages.updates.acceptAutomatically}
        </Switch>
      ) : (
        <p className="text-sm">{isOn ? messages.updates.isAutomatic : messages.updates.isManual}</p>
      )}
    </Card>
  );
}
