import { randomInt } from "node:crypto";
import { listenForSignals } from "#db";
import type { Signals } from "#db";
import { abortRunsOf } from "../active-runs.ts";
import type { RunsContext } from "../context.ts";

// check-terms-disable-next-line nudge -- nodes of earlier versions send and expect this value
export const relayKind = "nudge";

/** A message between nodes. It may be lost, so receivers also poll the database. */
type NodeMessage =
  /** A run was queued. The nodes of `wake` look for it now, the others when one of their runs ends; without it, all do now. */
  | { kind: "queued"; wake?: readonly string[] }
  /** A run of another node is to be cancelled. */
  | { kind: "cancel"; runId: string }
  /** All runs of a workspace, or of one user in it, are to be cancelled. */
  | { kind: "revoked"; workspaceId: string; userId: string | undefined }
  /** A run has ended that another node waits for. */
  | { kind: "ended"; runId: string }
  /** The tool of a run asks a question, and another node may wait for the run. */
  | { kind: "asked"; runId: string }
  /** A message for the listener at this address is stored. */
  | { kind: typeof relayKind; address: string };

/** Sends a message to the other nodes. Never rejects. */
export function broadcast(context: RunsContext, message: NodeMessage): void {
  if (context.cluster.size < 2) return;
  context.db.notify(JSON.stringify(message)).catch((error: unknown) => {
    context.log.warn({ err: error }, "could not notify the other nodes");
  });
}

/** How many nodes look for a queued run at once. If all of them are full, those that poll find it. */
const maxWoken = 4;

/**
 * Looks for a slot for runs that were just queued. Other nodes look for them now only if this one is full: otherwise the runs wait for
 * their workspace, and a node where one of its runs ends looks for the next. So the cost of a queued run does not grow with the number
 * of nodes.
 */
export function announceQueued(context: RunsContext): void {
  context.runs.queue.wake();
  if (context.runs.admission.available() <= 0) wakeOthers(context);
  else broadcast(context, { kind: "queued", wake: [] });
}

/** Makes some other nodes look for queued runs now. */
export function wakeOthers(context: RunsContext): void {
  const others = [...(context.cluster.nodeIds ?? [])].filter((id) => id !== context.nodeId);
  broadcast(context, { kind: "queued", wake: someOf(others, maxWoken) });
}

function someOf(ids: readonly string[], count: number): string[] {
  if (ids.length <= count) return [...ids];
  const first = randomInt(ids.length);
  return Array.from({ length: count }, (_, index) => ids[(first + index) % ids.length] ?? "");
}

const helloTimeoutMs = 3_000;

/**
 * Receives the messages of the other nodes; undefined on the embedded database, which has one node. On each connection this node
 * sends itself a message: a pooler in transaction mode loses it, and the operator has to know.
 */
export function subscribe(context: RunsContext): Signals | undefined {
  const { DATABASE_URL, DATABASE_DIRECT_URL: url = DATABASE_URL } = context.config;
  if (url === undefined) return undefined;
  const hello = `hello ${context.nodeId}`;
  let timer: NodeJS.Timeout | undefined;
  const warn = () =>
    context.log.warn(
      "Messages between nodes do not arrive. If DATABASE_URL points to a pooler in transaction mode, set DATABASE_DIRECT_URL to the database server itself. Until then nodes poll the database twice a second.",
    );
  return listenForSignals({
    url,
    onMessage: (message) => {
      if (message === hello) clearTimeout(timer);
      else if (!message.startsWith("hello ")) receive(context, JSON.parse(message) as NodeMessage);
    },
    onConnect: () => {
      context.runs.queue.wake();
      clearTimeout(timer);
      timer = setTimeout(warn, helloTimeoutMs);
      timer.unref();
      context.db.notify(hello).catch((error: unknown) => {
        context.log.warn({ err: error }, "could not notify the other nodes");
      });
    },
    onError: (error) => context.log.warn({ err: error }, "lost the connection to the other nodes"),
  });
}

/** Messages of this node arrive here too. */
function receive({ runs, nodeId }: RunsContext, message: NodeMessage): void {
  if (message.kind === "queued") {
    runs.queue.noteOthers();
    if (message.wake?.includes(nodeId) !== false) runs.queue.wake();
  } else if (message.kind === "revoked") abortRunsOf(runs.activeRuns, message);
  else if (message.kind === "ended") runs.completions.notify(message.runId);
  else if (message.kind === "asked") {
    runs.completions.notify(message.runId, "asked");
    // The run does not count for the limit of its workspace while it asks.
    runs.queue.wakeIfQueued();
  } else if (message.kind === relayKind) runs.relay.notify(message.address);
  else {
    const active = runs.activeRuns.get(message.runId);
    if (active === undefined) return;
    active.hasRemoteWaiters = true;
    active.abort.abort();
  }
}
