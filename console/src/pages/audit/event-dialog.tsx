import { useQuery } from "@tanstack/react-query";
import type { AuditEvent } from "@toolhost/contract";
import { formatTime } from "@toolhost/ui/time";
import type { ReactNode } from "react";
import { allItemsQuery } from "#api/queries";
import { CodeBlock } from "#components/copy";
import { Dialog } from "#components/dialog";
import { EventTarget } from "./event-target.tsx";
import { eventLabel, outcomeLabel, sourceLabel } from "./labels.ts";
import { messages } from "./messages.ts";
import { Name } from "#components/name";

const text = messages.event;

/** The details of an event. */
export function EventDialog({
  event,
  actorName,
  summary,
  onClose,
}: {
  event: AuditEvent;
  actorName: string;
  summary: string;
  onClose: () => void;
}): ReactNode {
  const { actor, outcome, via, at, ip, requestId, sequence } = event;
  const credential = useCredentialName(actor);
  return (
    <Dialog title={eventLabel(event)} isOpen onClose={onClose} isWide>
      <dl className="grid gap-x-4 gap-y-2 text-sm sm:grid-cols-[9rem_minmax(0,1fr)]">
        <Detail label={text.actor}>
          <Name>{actorName}</Name>
        </Detail>
        {credential === undefined ? null : <Detail label={text.credential}>{credential}</Detail>}
        <Detail label={text.time}>{formatTime(at)}</Detail>
        <Detail label={text.target}>
          <EventTarget event={event} summary={summary} />
        </Detail>
        <Detail label={text.outcome}>{outcomeLabel(outcome)}</Detail>
        <Detail label={text.source}>
          {ip === null ? sourceLabel(via) : text.sourceWithIp(sourceLabel(via), ip)}
        </Detail>
        {requestId === null ? null : (
          <Detail label={text.requestId}>
            <code>{requestId}</code>
          </Detail>
        )}
        <Detail label={text.sequence}>{sequence ?? text.notSealed}</Detail>
      </dl>
      <CodeBlock label={text.json} code={JSON.stringify(event, null, 2)} isWrapped />
    </Dialog>
  );
}

/** The name of the API key or app that the user authenticated with; its ID after it was removed. */
function useCredentialName({ apiKeyId, grantId }: AuditEvent["actor"]): string | undefined {
  const query = { owner: "anyone" } as const;
  const { data: keys } = useQuery({
    ...allItemsQuery("/api-keys", { query }),
    enabled: apiKeyId !== undefined,
  });
  const { data: apps } = useQuery({
    ...allItemsQuery("/connected-apps", { query }),
    enabled: grantId !== undefined,
  });
  if (apiKeyId !== undefined)
    return text.apiKey(keys?.find(({ id }) => id === apiKeyId)?.name ?? apiKeyId);
  if (grantId === undefined) return undefined;
  return text.connectedApp(apps?.find(({ id }) => id === grantId)?.clientName ?? grantId);
}

function Detail({ label, children }: { label: string; children: ReactNode }): ReactNode {
  return (
    <div className="contents">
      <dt className="text-soft">{label}</dt>
      <dd className="-mt-2 sm:mt-0">{children}</dd>
    </div>
  );
}
