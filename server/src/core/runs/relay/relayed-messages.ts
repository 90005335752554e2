import { isNodeLive } from "#core/kernel";
import { newId } from "#lib/ids";
import type { RunsContext } from "../context.ts";
import { broadcast, relayKind } from "./node-messages.ts";
import { deleteOlderThan, insertMessage, takeMessages } from "./relayed-message-store.ts";

/** Messages that were not fetched in this time were for a stream that has ended. */
const retentionMs = 60_000;

/** Notifies the listener at an address, on this node or else on another. */
export function notifyNode(context: RunsContext, address: string): void {
  if (!context.runs.relay.notify(address)) broadcast(context, { kind: relayKind, address });
}

/** Stores a message for an address on another node. False when that node is not live. */
export async function relayMessage(
  context: RunsContext,
  { nodeId, address, body }: { nodeId: string; address: string; body: string },
): Promise<boolean> {
  if (nodeId === context.nodeId || !(await isNodeLive(context, nodeId))) return false;
  const message = { id: newId(), address, body, created_at: context.clock.now() };
  await insertMessage(context.db, message);
  broadcast(context, { kind: relayKind, address });
  return true;
}

/** Stores a message for an address on any node, and notifies its listener. It is deleted a minute after `from`. */
export async function postMessage(
  context: RunsContext,
  { address, body }: { address: string; body: string },
  from = context.clock.now(),
): Promise<void> {
  await insertMessage(context.db, { id: newId(), address, body, created_at: from });
  notifyNode(context, address);
}

/** Removes and returns the messages for an address, oldest first. */
export async function fetchMessages(context: RunsContext, address: string): Promise<string[]> {
  return takeMessages(context.db, address);
}

/** Deletes messages for streams that have ended. */
export async function deleteOldMessages(context: RunsContext): Promise<void> {
  await deleteOlderThan(context.db, context.clock.now() - retentionMs);
}
