import { Kysely, PostgresDialect, sql } from "kysely";
import type { KyselyConfig, PostgresPool } from "kysely";
import pg from "pg";
import type { Database, SqlValue, TransactionStep } from "./database.ts";
import { isDuplicate, markDatabaseError, marking } from "./database-error.ts";
import type { GuardedWrite } from "./guarded-write.ts";
import { connecting } from "./open-error.ts";
import { signalChannel } from "./postgres-signals.ts";
import type { Schema } from "./schema.ts";
import { shareConnections } from "./shared-connections.ts";
import type { ReservedConnection, SharedConnections } from "./shared-connections.ts";

type Options = {
  url: string;
  poolSize: number;
  onError: (error: Error) => void;
  /** After this time without a response, a statement fails and its connection is closed. */
  queryTimeoutMs?: number;
  /** Called with the time that each statement or transaction waited for a connection, in milliseconds. */
  onConnection?: ((waitMs: number) => void) | undefined;
} & Pick<KyselyConfig, "log">;

/** Opening a connection takes several times as long as a statement, so that idle ones stay open between bursts. */
const idleTimeoutMs = 5 * 60_000;
const connectionTimeoutMillis = 5_000;

/** Opens a pool of connections to a PostgreSQL server, version 15 or later. Connects when first used. */
export function openPostgres(options: Options): Database {
  const { url, poolSize, onError, queryTimeoutMs, log, onConnection } = options;
  // A pooler in transaction mode executes each statement on another session, which does not know earlier prepared ones.
  let isPooled: boolean | undefined;
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis,
    idleTimeoutMillis: idleTimeoutMs,
    pipeline: true,
    // oxlint-disable-next-line typescript/no-misused-promises -- The pool waits for it, which its types do not say.
    onConnect: async (client) => {
      isPooled ??= await isBehindPooler(client);
    },
    // Detects a server that disappeared without closing its connections, so that requests do not hang.
    keepAlive: true,
    ...(queryTimeoutMs === undefined ? {} : { query_timeout: queryTimeoutMs }),
    types,
  });
  // The pool replaces a broken connection; without listeners the error would end the process, idle or in use.
  pool.on("error", (error) => onError(markDatabaseError(error)));
  pool.on("connect", (client) => void client.on("error", () => undefined));
  const connections = shareConnections(pool, poolSize, onConnection);
  const texts = new Map<string, string>();
  let closing: Promise<void> | undefined;
  const named = (name: string, source: string, values: readonly SqlValue[]) => {
    let text = texts.get(name);
    if (text === undefined) texts.set(name, (text = numberPlaceholders(source)));
    const statement = { text, values: [...values] };
    // A pooler in transaction mode executes it on any session, which may not know earlier prepared statements.
    return connections.run(() => (isPooled === true ? statement : { name, ...statement }));
  };
  const dialect = new PostgresDialect({ pool: poolForKysely(connections) });
  return {
    dialect: "postgres",
    kysely: new Kysely<Schema>({ dialect, ...(log === undefined ? {} : { log }) }),
    transact: (steps) => marking(transact(connections, steps)),
    query: async <Row>(statement: { name: string; text: string }, values: readonly SqlValue[]) => {
      const { rows } = await named(statement.name, statement.text, values);
      return rows as Row[];
    },
    writeGuarded: async <Row>(write: GuardedWrite, values: readonly SqlValue[]) => {
      try {
        const { rows } = await named(write.name, write.fused, values);
        return (rows[0] as { changed: number }).changed > 0 ? (rows[0] as Row) : undefined;
      } catch (error) {
        const { unlessTable } = write;
        if (unlessTable !== undefined && isDuplicate(error, unlessTable)) return undefined;
        throw error;
      }
    },
    now: () => sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`,
    notify: async (message) => {
      await named("notify", "select pg_notify(?, ?)", [signalChannel, message]);
    },
    ping: async () => void (await connections.run(() => ({ text: "select 1" }))),
    connections: () => ({ open: pool.totalCount, idle: pool.idleCount }),
    // The pool refuses a second end.
    close: () => (closing ??= pool.end()),
  };
}

/** A pooler between this process and the server reports a process ID of its own for the connection. */
async function isBehindPooler(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  return rows[0]?.pid !== (client as unknown as { processID: number }).processID;
}

/** Single statements of Kysely share connections; a transaction gets one for itself. */
function poolForKysely(connections: SharedConnections): PostgresPool {
  return {
    options: {},
    // Its owner closes the pool.
    end: async () => undefined,
    connect: async () => {
      let own: ReservedConnection | undefined;
      const query = async (text: string, parameters: readonly unknown[]) => {
        if (/^(?:begin|start transaction)\b/i.test(text)) own = await connections.reserve();
        const statement = { text, values: [...parameters] };
        return own === undefined ? connections.run(() => statement) : marking(own.query(statement));
      };
      return { query: query as never, release: (isBroken) => own?.release(isBroken) };
    },
  };
}

/**
 * Runs `work` while holding a lock that only one process on this database can hold, so that nodes that start at the
 * same time migrate one after the other. Throws `OperatorError` if it cannot connect.
 */
export async function withMigrationLock(url: string, work: () => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis });
  // The statement that is waiting throws the error of a broken connection.
  client.on("error", () => undefined);
  await connecting(url, () => client.connect());
  try {
    // A lock of the session would be lost, or never released, behind a pooler in transaction mode.
    await client.query("begin");
    await client.query("set local idle_in_transaction_session_timeout = 0");
    await client.query("select pg_advisory_xact_lock(hashtext('toolhost-migrations'))");
    await work();
  } finally {
    // Ending the connection releases the lock in any case.
    await client.end();
  }
}

/**
 * Sends all steps at once, so that a transaction takes one round trip, or two if it depends on what a step changed. Steps
 * after one that undoes the transaction are executed in vain.
 */
async function transact(
  connections: SharedConnections,
  steps: readonly TransactionStep[],
): Promise<boolean> {
  const client = await connections.reserve();
  let isBroken = false;
  try {
    const isConditional = steps.some((step) => "mustChange" in step);
    const begin = client.query("begin");
    const results = steps.map((step) => {
      const query = "mustChange" in step ? step.query : step;
      return client.query(query.sql, [...query.parameters]);
    });
    // In a failed transaction it undoes everything.
    const committed = isConditional ? undefined : client.query("commit");
    await Promise.allSettled([begin, ...results, committed]);
    await begin;
    for (const [index, step] of steps.entries()) {
      const result = await results[index];
      if (!("mustChange" in step) || result?.rowCount !== 0) continue;
      if (step.refusal !== undefined) throw step.refusal();
      await client.query("rollback");
      return false;
    }
    await (committed ?? client.query("commit"));
    return true;
  } catch (error) {
    // Also harmless after the transaction has ended.
    await client.query("rollback").catch(() => (isBroken = true));
    throw error;
  } finally {
    client.release(isBroken);
  }
}

function numberPlaceholders(text: string): string {
  let count = 0;
  return text.replaceAll("?", () => `$${++count}`);
}

/** Our 64-bit integers are times and counts, all below 2^53, so they are parsed as numbers. */
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, Number);
