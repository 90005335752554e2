import type pg from "pg";
import { marking } from "./database-error.ts";

/** Connections of a pool on which statements of several callers can be in flight. */
export type SharedConnections = {
  /**
   * Runs a single statement, if necessary behind others on the same connection, without waiting for their results. `compose`
   * is called once there is a connection.
   */
  run(compose: () => pg.QueryConfig): Promise<pg.QueryResult>;
  /** Takes a connection for one caller, such as for a transaction. `release` returns it. */
  reserve(): Promise<ReservedConnection>;
};

/** Its statements are sent without waiting for earlier results, and executed in order. */
export type ReservedConnection = Pick<pg.PoolClient, "query"> & {
  release(isBroken?: boolean): void;
};

/**
 * Shares the connections of a pool whose clients have `pipeline` on. While connections are free, each statement gets one.
 * Beyond that, statements share, so that the distance to the database limits how long each takes, and not how many there
 * are at once. A quarter of the connections is never shared, since a shared one may be busy for as long as there is load.
 * `onConnection` is called with the time that each statement or transaction waited for a connection.
 */
export function shareConnections(
  pool: pg.Pool,
  size: number,
  onConnection: (waitMs: number) => void = () => undefined,
): SharedConnections {
  const maxShared = size - Math.max(1, Math.floor(size / 4));
  const shared = new Set<SharedConnection>();
  const leases = countLeases(pool);
  const choose = () => {
    const canOpen = maxShared === 0 || (leases.count() < size && shared.size < maxShared);
    return (canOpen ? undefined : leastBusy(shared)) ?? new SharedConnection(leases, shared);
  };
  return {
    run: (compose) => {
      const startedAt = performance.now();
      const query = () => {
        onConnection(performance.now() - startedAt);
        return compose();
      };
      return marking(choose().run(query));
    },
    reserve: async () => {
      const startedAt = performance.now();
      const client = await marking(leases.take());
      onConnection(performance.now() - startedAt);
      return {
        query: client.query.bind(client),
        release: (isBroken) => leases.returnClient(client, isBroken),
      };
    },
  };
}

/** The connections that are taken from a pool, including those that it still has to open. */
type Leases = {
  count(): number;
  take(): Promise<pg.PoolClient>;
  returnClient(client: pg.PoolClient, isBroken?: boolean): void;
};

function countLeases(pool: pg.Pool): Leases {
  let taken = 0;
  return {
    count: () => taken,
    take: async () => {
      taken += 1;
      try {
        return await pool.connect();
      } catch (error) {
        taken -= 1;
        throw error;
      }
    },
    returnClient: (client, isBroken = false) => {
      taken -= 1;
      client.release(isBroken);
    },
  };
}

/** A connection for as long as statements are in flight on it. */
class SharedConnection {
  readonly #client: Promise<pg.PoolClient>;
  readonly #leases: Leases;
  /** The connections that further statements may use, including this one. */
  readonly #shared: Set<SharedConnection>;
  isReady = false;
  isBroken = false;
  inFlight = 0;
  readonly #onBroken = () => (this.isBroken = true);

  constructor(leases: Leases, shared: Set<SharedConnection>) {
    this.#leases = leases;
    this.#shared = shared;
    shared.add(this);
    this.#client = leases.take();
    this.#client.then(
      (client) => {
        this.isReady = true;
        client.on("error", this.#onBroken).on("end", this.#onBroken);
      },
      () => shared.delete(this),
    );
  }

  async run(compose: () => pg.QueryConfig): Promise<pg.QueryResult> {
    this.inFlight += 1;
    // Without a connection there is nothing to give back.
    const client = await this.#client;
    try {
      return await client.query(compose());
    } finally {
      this.inFlight -= 1;
      if (this.inFlight === 0) this.#returnClient(client);
    }
  }

  #returnClient(client: pg.PoolClient): void {
    this.#shared.delete(this);
    client.off("error", this.#onBroken).off("end", this.#onBroken);
    this.#leases.returnClient(client, this.isBroken);
  }
}

/** One that is connected, if any, and that has the fewest statements in flight. */
function leastBusy(shared: ReadonlySet<SharedConnection>): SharedConnection | undefined {
  let best: SharedConnection | undefined;
  for (const one of shared) {
    if (one.isBroken || (best?.isReady === true && !one.isReady)) continue;
    const isBetter =
      best === undefined || (one.isReady && !best.isReady) || one.inFlight < best.inFlight;
    if (isBetter) best = one;
  }
  return best;
}
