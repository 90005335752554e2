import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { api } from "#api/client";
import { errorMessage } from "#api/problem";
import { Switch } from "#components/fields";
import { Card } from "#components/page";
import { showToast } from "#components/toasts";
import { messages } from "./messages.ts";

type Props = { workspaceId: string; isOn: boolean; isManaged: boolean };

/** Whether searches for tools are stored to improve later ones. */
export function SearchesCard({ workspaceId, isOn, isManaged }: Props): ReactNode {
  const client = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: (learnFromSearches: boolean) =>
      api.send("PATCH /workspaces/{id}/settings", {
        params: { id: workspaceId },
        body: { learnFromSearches },
      }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["workspaces", workspaceId, "settings"] });
      showToast(messages.searches.saved);
    },
    onError: (error) => showToast(errorMessage(error), "bad"),
  });
  return (
    <Card title={messages.searches.title}>
      <p className="text-sm text-soft">{messages.searches.lead}</p>
      {isManaged ? (
        <Switch isSelected={isOn} isDisabled={isPending} onChange={(on) => mutate(on)}>
          {messages.searches.learn}
        </Switch>
      ) : (
        <p className="text-sm">{isOn ? messages.searches.isOn : messages.searches.isOff}</p>
      )}
    </Card>
  );
}
