import type { Context } from "#core/context";

/**
 * What nodes tell each other at once. A message may be lost: whoever needs to know also looks into the
 * database now and then.
 */
export type RunSignal =
  /** A run waits that this node has no place for. */
  | { kind: "queued" }
  /** Somebody wants a run stopped that another node works on. */
  | { kind: "cancel"; runId: string }
  /** A run has ended that somebody on another node waits for. */
  | { kind: "ended"; runId: string };

/** Tells the other nodes; never rejects. */
export function sendSignal(context: Context, signal: RunSignal): void {
  if (context.cluster.size < 2) return;
  context.db.notify(JSON.stringify(signal)).catch((error: unknown) => {
    context.log.warn({ err: error }, "the other nodes were not told");
  });
}

/** Does what a message of another node, or of this one, asks for. */
export function obeySignal(context: Context, message: string): void {
  const signal = JSON.parse(message) as RunSignal;
  if (signal.kind === "queued") context.queue.kick();
  else if (signal.kind === "ended") context.endings.tell(signal.runId);
  else {
    const active = context.activeRuns.get(signal.runId);
    if (active === undefined) return;
    active.isAwaitedElsewhere = true;
    active.abort.abort();
  }
}
