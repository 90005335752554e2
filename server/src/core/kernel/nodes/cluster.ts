/** What this node knows of itself and of the others on the database. */
export type Cluster = {
  /** Nodes that live, this one included. */
  size: number;
  /** Since when the heartbeat has got through without a gap (monotonic milliseconds). */
  contactSince: number;
  lastContact: number;
  /** Why the last heartbeat failed, for `/readyz`; undefined while it gets through. */
  problem: string | undefined;
  /** True from the moment the service is told to stop: no run begins any more. */
  isStopping: boolean;
};

export function createCluster(): Cluster {
  return {
    size: 1,
    contactSince: Number.NEGATIVE_INFINITY,
    lastContact: Number.NEGATIVE_INFINITY,
    problem: undefined,
    isStopping: false,
  };
}
