import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ChatConnection, DeadLetter } from "@toolhost/contract";
import type { ReactNode } from "react";
import { api } from "#api/client";
import { errorMessage } from "#api/problem";
import { itemQuery } from "#api/queries";
import { When } from "#components/badges";
import { Button } from "#components/button";
import { showToast } from "#components/toasts";
import { chatPlatform, chatProblemText } from "#lib/chat-labels";
import { restoreFocus } from "#lib/restore-focus";
import { messages } from "./messages.ts";

const text = messages.deadLetters;
const maxShown = 50;

type Props = { workspaceId: string; connections: readonly ChatConnection[] };

/** Chat messages that the bot failed to answer. Renders nothing when there are none. */
export function DeadLetterList({ workspaceId, connections }: Props): ReactNode {
  const client = useQueryClient();
  const { data: letters = [] } = useQuery({
    ...itemQuery("/workspaces/{id}/chat/dead-letters", {
      params: { id: workspaceId },
      query: { limit: maxShown },
    }),
    enabled: connections.length > 0,
  });
  const { mutate, isPending, variables } = useMutation({
    mutationFn: ({ id }: DeadLetter) =>
      api.send("POST /workspaces/{id}/chat/dead-letters/{messageId}/requeue", {
        params: { id: workspaceId, messageId: id },
      }),
    onSuccess: () => showToast(text.requeued),
    onError: (error) => showToast(errorMessage(error), "bad"),
    onSettled: async () => {
      await client.invalidateQueries({ queryKey: ["workspaces", workspaceId, "chat"] });
      restoreFocus();
    },
  });
  if (letters.length === 0) return null;
  return (
    <section aria-label={text.title} className="grid gap-1 border-t border-line pt-3">
      <h3 className="font-medium">{text.title}</h3>
      <p className="text-sm text-soft">
        {text.lead}
        {letters.length === maxShown ? ` ${text.newest(maxShown)}` : ""}
      </p>
      <ul className="divide-y divide-line">
        {letters.map((letter) => (
          <DeadLetterRow
            key={letter.id}
            letter={letter}
            connection={connections.find(({ id }) => id === letter.connectionId)}
            isPending={isPending && variables.id === letter.id}
            onRequeue={() => mutate(letter)}
          />
        ))}
      </ul>
    </section>
  );
}

function DeadLetterRow({
  letter: { id, platform, kind, problem, problemKind, attempts, receivedAt },
  connection,
  isPending,
  onRequeue,
}: {
  letter: DeadLetter;
  connection: ChatConnection | undefined;
  isPending: boolean;
  onRequeue: () => void;
}): ReactNode {
  const { label, team } = chatPlatform(platform);
  const problemText = chatProblemText(problemKind, platform);
  return (
    <li className="grid gap-2 py-3 text-sm sm:flex sm:items-start sm:justify-between sm:gap-4">
      <div className="grid min-w-0 gap-0.5">
        <p>
          <span className="font-medium">{text.kinds[kind]}</span>{" "}
          {text.from(connection?.teamName ?? label)} <When at={receivedAt} />
        </p>
        <p>
          {problemText ?? problem} {text.attempts(attempts)}
        </p>
        <p className="font-mono text-xs wrap-anywhere text-soft">
          {id}
          {problemText === undefined ? "" : ` · ${problem}`}
        </p>
      </div>
      {connection?.state === "active" ? (
        <Button
          className="shrink-0 justify-self-start"
          aria-label={text.requeueLabel(text.kinds[kind], connection.teamName)}
          isPending={isPending}
          onPress={onRequeue}
        >
          {text.requeue}
        </Button>
      ) : (
        <p className="max-w-48 text-soft">{text.isDisconnected(team)}</p>
      )}
    </li>
  );
}
