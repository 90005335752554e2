import type { RunsContext } from "../context.ts";
import { isNodeLive } from "#core/kernel";
import { sendSignal } from "../run-signals.ts";
import { newId } from "#lib/ids";
import { deleteOlderThan, insertMessage, takeMessages } from "./relay-store.ts";

/** Messages that nobody fetched in this time were for a stream that is gone. */
const keptMs = 60_000;

/** Tells whoever waits at an address, on this node or else on another. */
export function nudgeAnywhere(context: RunsContext, address: string): void {
  if (!context.runs.relay.nudge(address)) sendSignal(context, { kind: "nudge", address });
}

/** Leaves a message for an address on another node. False when that node is not known to live. */
export async function relayMessage(
  context: RunsContext,
  { nodeId, address, body }: { nodeId: string; address: string; body: string },
): Promise<boolean> {
  if (nodeId === context.nodeId || !(await isNodeLive(context, nodeId))) return false;
  const message = { id: newId(), address, body, created_at: context.clock.now() };
  await insertMessage(context.db, message);
  sendSignal(context, { kind: "nudge", address });
  return true;
}

/** The messages that were left at an address, oldest first. Each is given once. */
export async function fetchMessages(context: RunsContext, address: string): Promise<string[]> {
  return takeMessages(context.db, address);
}

/** Forgets messages for streams that are gone. */
export async function deleteOldMessages(context: RunsContext): Promise<void> {
  await deleteOlderThan(context.db, context.clock.now() - keptMs);
}
