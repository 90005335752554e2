import type { NodeContext } from "../context.ts";
import { explainOutage } from "#db";
import { correctClock } from "#lib/clock";
import { logChanges } from "./log-changes.ts";
import { deleteLostNodes, deleteNode, findLiveNodes, saveHeartbeat } from "./node-store.ts";
import { hasTurn } from "./turns.ts";

export const heartbeatIntervalMs = 2_000;

/** A node without a heartbeat for this long is considered offline. */
export const offlineAfterMs = 10_000;

/**
 * Sends this node's heartbeat, corrects its clock by the database's, and returns the IDs of the live nodes; undefined
 * while this node may not declare others offline. All times are the database's, so the clocks of nodes may differ.
 */
export async function heartbeat(context: NodeContext): Promise<string[] | undefined> {
  const { db, nodeId, cluster, envelopes } = context;
  try {
    const before = Date.now();
    const { keyId } = envelopes;
    const keyIds = [keyId, ...envelopes.keyIds.filter((id) => id !== keyId)];
    const now = await saveHeartbeat(db, { nodeId, keyIds });
    correctClock(now, { before, after: Date.now() });
    if (db.dialect === "sqlite") {
      await deleteLostNodes(db, now - 10 * offlineAfterMs);
      cluster.problem = undefined;
      return [nodeId];
    }
    const live = await findLiveNodes(db, offlineAfterMs);
    cluster.size = Math.max(1, live.length);
    cluster.rank = Math.max(0, live.toSorted().indexOf(nodeId));
    if (hasTurn(context, "deleting lost nodes", heartbeatIntervalMs)) {
      await deleteLostNodes(db, now - 10 * offlineAfterMs);
    }
    const mayDeclareOffline = recordContact(context);
    if (mayDeclareOffline || cluster.nodeIds === undefined) await logChanges(context, live);
    return mayDeclareOffline ? live : undefined;
  } catch (error) {
    cluster.problem = explainOutage(error) ?? "The database does not accept writes.";
    throw error;
  }
}

/**
 * Returns whether this node may declare others offline. After a database outage no node has a recent heartbeat, and the
 * first one to reconnect would consider all others offline, so a node must have been connected for that time first.
 */
function recordContact({ cluster }: NodeContext): boolean {
  const now = performance.now();
  if (now - cluster.lastContact > offlineAfterMs / 2) cluster.contactSince = now;
  cluster.lastContact = now;
  cluster.problem = undefined;
  return now - cluster.contactSince >= offlineAfterMs;
}

/** Removes this node, so that others need not wait until it is considered offline. */
export async function leaveCluster(context: NodeContext): Promise<void> {
  await deleteNode(context.db, context.nodeId);
}
