import type { NodeContext } from "../context.ts";
import { deadAfterMs } from "./heartbeat.ts";
import { findLiveNodes } from "./node-store.ts";

/** Whether a node has sent a heartbeat recently. */
export async function isNodeLive({ db }: NodeContext, nodeId: string): Promise<boolean> {
  return (await findLiveNodes(db, deadAfterMs)).includes(nodeId);
}
