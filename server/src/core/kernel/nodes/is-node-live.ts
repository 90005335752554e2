import type { NodeContext } from "../context.ts";
import { offlineAfterMs } from "./heartbeat.ts";
import { findLiveNodes } from "./node-store.ts";

/** Whether a node has sent a heartbeat recently. */
export async function isNodeLive({ db }: NodeContext, nodeId: string): Promise<boolean> {
  return (await findLiveNodes(db, offlineAfterMs)).includes(nodeId);
}
