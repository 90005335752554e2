import { Link } from "@tanstack/react-router";
import type { AuditEvent } from "@toolhost/contract";
import type { ReactNode } from "react";
import { CodeBlock } from "#components/copy";
import { Dialog } from "#components/dialog";
import { actionLabel } from "./action-labels.ts";

/** All that is known of one event. */
export function EventDialog({
  event,
  who,
  onClose,
}: {
  event: AuditEvent;
  who: string;
  onClose: () => void;
}): ReactNode {
  const { actor, action, target, outcome, via, at, ip, requestId, sequence } = event;
  const means =
    actor.apiKeyId === undefined
      ? actor.grantId === undefined
        ? undefined
        : `connected app ${actor.grantId}`
      : `API key ${actor.apiKeyId}`;
  return (
    <Dialog title={actionLabel(action)} isOpen onClose={onClose} isWide>
      <dl className="grid gap-x-4 gap-y-2 text-sm sm:grid-cols-[9rem_minmax(0,1fr)]">
        <Fact label="Who">{who}</Fact>
        {means === undefined ? null : <Fact label="With">{means}</Fact>}
        <Fact label="When">{new Date(at).toLocaleString()}</Fact>
        <Fact label="On what">
          {event.hidden === true ? (
            "Another person's draft or private tool"
          ) : action.startsWith("run.") ? (
            <RunLink id={target} />
          ) : (
            target
          )}
        </Fact>
        <Fact label="Outcome">{outcome}</Fact>
        <Fact label="Via">{ip === null ? via : `${via}, from ${ip}`}</Fact>
        <Fact label="Request">{requestId ?? "none"}</Fact>
        <Fact label="Place in the chain">{sequence ?? "not sealed yet"}</Fact>
      </dl>
      <CodeBlock label="As it was written" code={JSON.stringify(event, null, 2)} isWrapped />
    </Dialog>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }): ReactNode {
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
