import type { NodeContext } from "../context.ts";
import { findNodes } from "./node-store.ts";

/** Logs which other nodes joined, left or were lost since the last call. */
export async function logChanges(
  { cluster, db, log, nodeId }: NodeContext,
  live: readonly string[],
): Promise<void> {
  const before = cluster.nodeIds;
  const now = new Set(live).add(nodeId);
  cluster.nodeIds = now;
  if (before === undefined) return;
  const nodes = now.size;
  for (const joined of now.difference(before)) log.info({ joined, nodes }, "a node joined");
  const gone = before.difference(now);
  if (gone.size === 0) return;
  // A node that stops deletes its row.
  const lost = new Set(await findNodes(db, [...gone]));
  for (const left of gone.difference(lost)) log.info({ left, nodes }, "a node left");
  for (const id of lost) log.warn({ lost: id, nodes }, "a node was lost: it sends no heartbeat");
}
