/** What this node knows about itself and the other nodes on the database. */
export type Cluster = {
  /** Number of live nodes, this one included. */
  size: number;
  /** The position of this node among the live nodes in the order of their IDs. */
  rank: number;
  /** Start of the current period of uninterrupted heartbeats (monotonic milliseconds). */
  contactSince: number;
  lastContact: number;
  /** Why the last heartbeat failed, for `/readyz`; undefined when it succeeded. */
  problem: string | undefined;
  /** Set during `SHUTDOWN_DELAY_MS`: `/readyz` fails, and requests are still served. */
  isLeaving: boolean;
  /** Set once shutdown has started; no more runs are accepted. */
  isStopping: boolean;
  /** The live nodes of the last heartbeat, to log changes; undefined before the first one. */
  nodeIds: ReadonlySet<string> | undefined;
};

export function createCluster(): Cluster {
  return {
    size: 1,
    rank: 0,
    contactSince: Number.NEGATIVE_INFINITY,
    lastContact: Number.NEGATIVE_INFINITY,
    problem: undefined,
    isLeaving: false,
    isStopping: false,
    nodeIds: undefined,
  };
}
