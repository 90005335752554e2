import type { Context } from "#core/context";
import { deadAfterMs } from "./heartbeat.ts";
import { findLiveNodes } from "./node-store.ts";

/** Whether a node has been seen lately. */
export async function isNodeLive({ db }: Context, nodeId: string): Promise<boolean> {
  return (await findLiveNodes(db, deadAfterMs)).includes(nodeId);
}
