import type { NodeContext } from "../context.ts";
import { explainOutage } from "#db";
import { correctClock } from "#lib/clock";
import { findLiveNodes, forgetNode, sayAlive } from "./node-store.ts";

/** How often a node says that it lives. */
export const beatIntervalMs = 2_000;

/** A node that has not been seen for so long is taken for dead. */
export const deadAfterMs = 10_000;

/**
 * Says that this node lives, follows the database's clock, and answers which nodes live; undefined while
 * this node may not judge others. All times are the database's, so clocks of nodes may differ.
 */
export async function beat(context: NodeContext): Promise<string[] | undefined> {
  const { db, nodeId, cluster, envelopes } = context;
  try {
    const before = Date.now();
    const { keyId } = envelopes;
    const keyIds = [keyId, ...envelopes.keyIds.filter((id) => id !== keyId)];
    const now = await sayAlive(db, { nodeId, keyIds }, 10 * deadAfterMs);
    correctClock(now, (before + Date.now()) / 2);
    if (db.dialect === "sqlite") {
      cluster.problem = undefined;
      return [nodeId];
    }
    const live = await findLiveNodes(db, deadAfterMs);
    cluster.size = Math.max(1, live.length);
    return noteContact(context) ? live : undefined;
  } catch (error) {
    cluster.problem = explainOutage(error) ?? "The database does not take writes.";
    throw error;
  }
}

/**
 * After an outage of the database no node has been seen for a while, and whoever comes first would take all
 * others for dead. So a node judges only once it has been in contact for as long as it takes to die.
 */
function noteContact({ cluster }: NodeContext): boolean {
  const now = performance.now();
  if (now - cluster.lastContact > deadAfterMs / 2) cluster.contactSince = now;
  cluster.lastContact = now;
  cluster.problem = undefined;
  return now - cluster.contactSince >= deadAfterMs;
}

/** Says that this node is gone, so that others need not wait to find out. */
export async function leaveCluster(context: NodeContext): Promise<void> {
  await forgetNode(context.db, context.nodeId);
}
