import { Link } from "@tanstack/react-router";
import type { AuditEvent } from "@toolhost/contract";
import type { ReactNode } from "react";
import { CodeBlock } from "#components/copy";
import { Dialog } from "#components/dialog";
import { eventLabel, outcomeLabel, sourceLabel } from "./labels.ts";
import { messages } from "./messages.ts";

const text = messages.event;

/** The details of an event. */
export function EventDialog({
  event,
  actorName,
  onClose,
}: {
  event: AuditEvent;
  actorName: string;
  onClose: () => void;
}): ReactNode {
  const { actor, action, target, outcome, via, at, ip, requestId, sequence } = event;
  const credential =
    actor.apiKeyId === undefined
      ? actor.grantId === undefined
        ? undefined
        : text.connectedApp(actor.grantId)
      : text.apiKey(actor.apiKeyId);
  return (
    <Dialog title={eventLabel(event)} isOpen onClose={onClose} isWide>
      <dl className="grid gap-x-4 gap-y-2 text-sm sm:grid-cols-[9rem_minmax(0,1fr)]">
        <Detail label={text.actor}>{actorName}</Detail>
        {credential === undefined ? null : <Detail label={text.credential}>{credential}</Detail>}
        <Detail label={text.time}>{new Date(at).toLocaleString()}</Detail>
        <Detail label={text.target}>
          {event.hidden === true ? (
            text.isHidden
          ) : action.startsWith("run.") ? (
            <RunLink id={target} />
          ) : (
            target
          )}
        </Detail>
        <Detail label={text.outcome}>{outcomeLabel(outcome)}</Detail>
        <Detail label={text.source}>
          {ip === null ? sourceLabel(via) : text.sourceWithIp(sourceLabel(via), ip)}
        </Detail>
        <Detail label={text.requestId}>{requestId ?? text.noRequest}</Detail>
        <Detail label={text.sequence}>{sequence ?? text.notSealed}</Detail>
      </dl>
      <CodeBlock label={text.json} code={JSON.stringify(event, null, 2)} isWrapped />
    </Dialog>
  );
}

function Detail({ label, children }: { label: string; children: ReactNode }): ReactNode {
  return (
    <div className="contents">
      <dt className="text-soft">{label}</dt>
      <dd className="-mt-2 sm:mt-0">{children}</dd>
    </div>
  );
}

function RunLink({ id }: { id: string }): ReactNode {
  return (
    <Link to="/runs/$runId" params={{ runId: id }} className="text-strong underline">
      {id}
    </Link>
  );
}
