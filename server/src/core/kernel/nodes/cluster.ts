/** What this node knows about itself and the other nodes on the database. */
export type Cluster = {
  /** Number of live nodes, this one included. */
  size: number;
  /** Start of the current period of uninterrupted heartbeats (monotonic milliseconds). */
  contactSince: number;
  lastContact: number;
  /** Why the last heartbeat failed, for `/readyz`; undefined when it succeeded. */
  problem: string | undefined;
  /** Set once shutdown has started; no more runs are accepted. */
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
