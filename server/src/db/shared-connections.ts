import type pg from "pg";

/** Connections of a pool on which statements of several callers can be in flight. */
export type SharedConnections = {
  /** Runs a single statement, if necessary behind others on the same connection, which does not wait for their results. */
  run(statement: pg.QueryConfig): Promise<pg.QueryResult>;
  /** Takes a connection for one caller, such as for a transaction. `release` returns it. */
  reserve(): Promise<ReservedConnection>;
};

/** Its statements are sent without waiting for earlier results, and executed in order. */
export type ReservedConnection = Pick<pg.PoolClient, "query"> & {
  release(isBroken?: boolean): void;
};

type Shared = {
  client: Promise<pg.PoolClient>;
  isReady: boolean;
  isBroken: boolean;
  inFlight: number;
  onBroken: () => void;
};

/**
 * Shares the connections of a pool whose clients have `pipeline` on. While connections are free, each statement gets one.
 * Beyond that, statements share, so that the distance to the database limits how long each takes, and not how many there
 * are at once. A quarter of the connections is never shared, since a shared one may be busy for as long as there is load.
 */
export function shareConnections(pool: pg.Pool, size: number): SharedConnections {
  const maxShared = size - Math.max(1, Math.floor(size / 4));
  const shared = new Set<Shared>();
  let taken = 0;

  const take = async (): Promise<pg.PoolClient> => {
    taken += 1;
    try {
      return await pool.connect();
    } catch (error) {
      taken -= 1;
      throw error;
    }
  };
  const giveBack = (client: pg.PoolClient, isBroken = false) => {
    taken -= 1;
    client.release(isBroken);
  };

  const open = (): Shared => {
    const connection: Shared = {
      client: take(),
      isReady: false,
      isBroken: false,
      inFlight: 0,
      onBroken: () => (connection.isBroken = true),
    };
    shared.add(connection);
    connection.client.then(
      (client) => {
        connection.isReady = true;
        client.on("error", connection.onBroken).on("end", connection.onBroken);
      },
      () => shared.delete(connection),
    );
    return connection;
  };
  const choose = (): Shared => {
    const canOpen = maxShared === 0 || (taken < size && shared.size < maxShared);
    return (canOpen ? undefined : leastBusy(shared)) ?? open();
  };
  const leave = async (connection: Shared) => {
    connection.inFlight -= 1;
    if (connection.inFlight > 0 || !shared.delete(connection)) return;
    const client = await connection.client;
    client.off("error", connection.onBroken).off("end", connection.onBroken);
    giveBack(client, connection.isBroken);
  };

  return {
    run: async (statement) => {
      const connection = choose();
      connection.inFlight += 1;
      try {
        const client = await connection.client;
        return await client.query(statement);
      } finally {
        await leave(connection);
      }
    },
    reserve: async () => {
      const client = await take();
      return {
        query: client.query.bind(client) as pg.PoolClient["query"],
        release: (isBroken) => giveBack(client, isBroken),
      };
    },
  };
}

/** One that is connected, if any, and that has the fewest statements in flight. */
function leastBusy(shared: ReadonlySet<Shared>): Shared | undefined {
  let best: Shared | undefined;
  for (const one of shared) {
    if (one.isBroken || (best?.isReady === true && !one.isReady)) continue;
    const isBetter =
      best === undefined || (one.isReady && !best.isReady) || one.inFlight < best.inFlight;
    if (isBetter) best = one;
  }
  return best;
}
