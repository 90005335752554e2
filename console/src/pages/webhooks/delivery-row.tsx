import type { WebhookDelivery } from "@toolhost/contract";
import type { ReactNode } from "react";
import { Badge, When } from "#components/badges";
import { Button, LinkButton } from "#components/button";
import { useNow } from "#lib/use-now";
import { messages } from "./messages.ts";

const text = messages.deliveries;
const tones = { pending: "soft", delivered: "good", dead: "bad" } as const;

/** A delivery in the list. */
export function DeliveryRow({
  delivery: { eventId, type, runId, toolName, state, attempts, status, problem, ...times },
  isPending,
  onRequeue,
}: {
  delivery: WebhookDelivery;
  isPending: boolean;
  onRequeue: () => void;
}): ReactNode {
  return (
    <div className="ui-row">
      <div className="grid min-w-0 gap-1 text-sm">
        <div className="flex flex-wrap items-center gap-2">
          <Badge tone={tones[state]}>{text.state[state]}</Badge>
          <span className="font-medium">
            {{ ...messages.events, ...messages.alertEvents }[type]}
          </span>
          {toolName === null ? (
            type in messages.events ? (
              <span className="text-soft">{text.hiddenRun}</span>
            ) : null
          ) : (
            <span className="font-mono text-xs wrap-anywhere">{toolName}</span>
          )}
        </div>
        {problem === null ? null : (
          <p className="wrap-anywhere text-bad">
            <bdi>{problem}</bdi>
          </p>
        )}
        <p className="ui-facts">
          <span>
            {text.created} <When at={times.createdAt} />
          </span>
          <span>{text.attempts(attempts)}</span>
          {status === null || problem !== null ? null : <span>{text.status(status)}</span>}
          {times.nextAttemptAt === null || attempts === 0 ? null : (
            <span>
              <NextAttempt at={times.nextAttemptAt} />
            </span>
          )}
          <span className="font-mono text-xs wrap-anywhere">{eventId}</span>
        </p>
      </div>
      <div className="flex items-center gap-1">
        {state === "pending" ? null : (
          <Button aria-label={text.requeueLabel(eventId)} isPending={isPending} onPress={onRequeue}>
            {text.requeue}
          </Button>
        )}
        {runId === null ? null : (
          <LinkButton to="/runs/$runId" params={{ runId }} aria-label={text.runLabel(runId)}>
            {text.run}
          </LinkButton>
        )}
      </div>
    </div>
  );
}

/** A due attempt waits while the webhook is disabled, or gets a single request at a time because it fails. */
function NextAttempt({ at }: { at: string }): ReactNode {
  const now = useNow();
  if (Date.parse(at) <= now.getTime()) return text.due;
  return (
    <>
      {text.next} <When at={at} />
    </>
  );
}
