import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ChatConnection, DeadLetter } from "@toolhost/contract";
import type { ReactNode } from "react";
import { send } from "#api/client";
import { errorMessage } from "#api/problem";
import { itemQuery } from "#api/queries";
import { When } from "#components/badges";
import { Button } from "#components/button";
import { showToast } from "#components/toasts";
import { chatPlatform, chatProblemText } from "#lib/chat-labels";
import { restoreFocus } from "#lib/restore-focus";

const kinds = { message: "A message", answer: "An answer to a question", run_ended: "A run's end" };
const maxShown = 50;

type Props = { workspaceId: string; connections: readonly ChatConnection[] };

/** What people asked for in chats and got no answer to. Nothing is shown where there is none. */
export function DeadLetterList({ workspaceId, connections }: Props): ReactNode {
  const client = useQueryClient();
  const path = `/workspaces/${workspaceId}/chat/dead-letters`;
  const { data: messages = [] } = useQuery({
    ...itemQuery<DeadLetter[]>(path, { limit: maxShown }),
    enabled: connections.length > 0,
  });
  const { mutate, isPending, variables } = useMutation({
    mutationFn: ({ id }: DeadLetter) => send("POST", `${path}/${id}/requeue`),
    onSuccess: () => showToast("It is tried again"),
    onError: (error) => showToast(errorMessage(error), "bad"),
    onSettled: async () => {
      await client.invalidateQueries({ queryKey: ["workspaces", workspaceId, "chat"] });
      restoreFocus();
    },
  });
  if (messages.length === 0) return null;
  return (
    <section aria-label="Got no answer" className="grid gap-1 border-t border-line pt-3">
      <h3 className="font-medium">Got no answer</h3>
      <p className="text-sm text-soft">
        What was said in them is not shown here.
        {messages.length === maxShown ? ` These are the newest ${maxShown}.` : ""}
      </p>
      <ul className="divide-y divide-line">
        {messages.map((message) => (
          <DeadLetterRow
            key={message.id}
            message={message}
            connection={connections.find(({ id }) => id === message.connectionId)}
            isPending={isPending && variables.id === message.id}
            onRetry={() => mutate(message)}
          />
        ))}
      </ul>
    </section>
  );
}

function DeadLetterRow({
  message: { id, platform, kind, problem, problemKind, attempts, receivedAt },
  connection,
  isPending,
  onRetry,
}: {
  message: DeadLetter;
  connection: ChatConnection | undefined;
  isPending: boolean;
  onRetry: () => void;
}): ReactNode {
  const { label, team } = chatPlatform(platform);
  const words = chatProblemText(problemKind, platform);
  return (
    <li className="grid gap-2 py-3 text-sm sm:flex sm:items-start sm:justify-between sm:gap-4">
      <div className="grid min-w-0 gap-0.5">
        <p>
          <span className="font-medium">{kinds[kind]}</span> from {connection?.teamName ?? label},{" "}
          <When at={receivedAt} />
        </p>
        <p>
          {words ?? problem} Given up after {attempts} {attempts === 1 ? "try" : "tries"}.
        </p>
        <p className="font-mono text-xs wrap-anywhere text-soft">
          {id}
          {words === undefined ? "" : ` · ${problem}`}
        </p>
      </div>
      {connection?.state === "active" ? (
        <Button
          className="shrink-0 justify-self-start"
          aria-label={`Try again: ${kinds[kind].toLowerCase()} from ${connection.teamName}`}
          isPending={isPending}
          onPress={onRetry}
        >
          Try again
        </Button>
      ) : (
        <p className="max-w-48 text-soft">It can be tried when the {team} is connected again.</p>
      )}
    </li>
  );
}
