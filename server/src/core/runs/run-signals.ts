import type { RunsContext } from "./context.ts";
import { listenForSignals } from "#db";
import type { Signals } from "#db";

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
  | { kind: "ended"; runId: string }
  /** There is something for whoever waits at an address (`core/relay`). */
  | { kind: "nudge"; address: string };

/** Tells the other nodes; never rejects. */
export function sendSignal(context: RunsContext, signal: RunSignal): void {
  if (context.cluster.size < 2) return;
  context.db.notify(JSON.stringify(signal)).catch((error: unknown) => {
    context.log.warn({ err: error }, "the other nodes were not told");
  });
}

const helloTimeoutMs = 3_000;

/**
 * Hears what the other nodes say, where there can be any. Each time it begins to listen it says something
 * to itself: a pooler that hands each transaction another connection swallows it, and an operator should know.
 */
export function hearSignals(context: RunsContext): Signals | undefined {
  const { DATABASE_URL: url } = context.config;
  if (url === undefined) return undefined;
  const hello = `hello ${context.nodeId}`;
  let timer: NodeJS.Timeout | undefined;
  const complain = () =>
    context.log.warn(
      "Messages between nodes do not arrive. Is DATABASE_URL a pooler in transaction mode? Name the server itself: prepared statements may fail too. Until then nodes look into the database twice a second.",
    );
  return listenForSignals({
    url,
    onMessage: (message) => {
      if (message === hello) clearTimeout(timer);
      else if (!message.startsWith("hello ")) obeySignal(context, message);
    },
    onConnect: () => {
      context.runs.queue.kick();
      clearTimeout(timer);
      timer = setTimeout(complain, helloTimeoutMs);
      timer.unref();
      context.db.notify(hello).catch((error: unknown) => {
        context.log.warn({ err: error }, "the other nodes could not be told");
      });
    },
    onError: (error) => context.log.warn({ err: error }, "lost touch with the other nodes"),
  });
}

/** Does what a message of another node, or of this one, asks for. */
function obeySignal(context: RunsContext, message: string): void {
  const signal = JSON.parse(message) as RunSignal;
  if (signal.kind === "queued") context.runs.queue.kick();
  else if (signal.kind === "ended") context.runs.endings.tell(signal.runId);
  else if (signal.kind === "nudge") context.runs.relay.nudge(signal.address);
  else {
    const active = context.runs.activeRuns.get(signal.runId);
    if (active === undefined) return;
    active.isAwaitedElsewhere = true;
    active.abort.abort();
  }
}
