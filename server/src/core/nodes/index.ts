export type { Cluster } from "./cluster.ts";
export { createCluster } from "./cluster.ts";
export { beat, beatIntervalMs, deadAfterMs, leaveCluster } from "./heartbeat.ts";
export { findNodeKeys } from "./node-store.ts";
export { isNodeLive } from "./is-node-live.ts";
