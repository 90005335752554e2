import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ChatConnection, GivenUpMessage } from "@toolhost/contract";
import type { ReactNode } from "react";
import { send } from "#api/client";
import { wordsOf } from "#api/problem";
import { itemQuery } from "#api/queries";
import { When } from "#components/badges";
import { Button } from "#components/button";
import { showToast } from "#components/toasts";

const kinds = { message: "A message", answer: "An answer", run_ended: "The end of a run" };

/** What people asked for in chats and got no answer to. Nothing is shown where there is none. */
export function GivenUpList({
  workspaceId,
  connections,
}: {
  workspaceId: string;
  connections: readonly ChatConnection[];
}): ReactNode {
  const client = useQueryClient();
  const path = `/workspaces/${workspaceId}/chat/given-up`;
  const { data: messages = [] } = useQuery({
    ...itemQuery<GivenUpMessage[]>(path, { limit: 50 }),
    enabled: connections.length > 0,
  });
  const { mutate, isPending, variables } = useMutation({
    mutationFn: ({ id }: GivenUpMessage) => send("POST", `${path}/${id}/retry`),
    onSuccess: () => showToast("It is tried again"),
    onError: (error) => showToast(wordsOf(error), "bad"),
    onSettled: () => client.invalidateQueries({ queryKey: ["workspaces", workspaceId, "chat"] }),
  });
  if (messages.length === 0) return null;
  return (
    <div className="grid gap-2 border-t border-line pt-3">
      <h3 className="font-medium">Got no answer</h3>
      <ul className="grid gap-2">
        {messages.map((message) => (
          <li key={message.id} className="flex flex-wrap items-center justify-between gap-2">
            <p className="min-w-0 text-sm">
              {kinds[message.kind]} of{" "}
              {connections.find(({ id }) => id === message.connectionId)?.teamName ??
                message.platform}
              , <When at={message.receivedAt} />, given up after {message.attempts}{" "}
              {message.attempts === 1 ? "try" : "tries"}:{" "}
              <span className="text-soft">{message.problem}</span>
            </p>
            <Button
              isPending={isPending && variables.id === message.id}
              onPress={() => mutate(message)}
            >
              Try again
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}
