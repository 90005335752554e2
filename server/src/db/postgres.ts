import { Kysely, PostgresDialect, sql } from "kysely";
import pg from "pg";
import type { Database, SqlValue, TransactionStep } from "./database.ts";
import { markDatabaseError, marking } from "./database-error.ts";
import type { GuardedWrite } from "./guarded-write.ts";
import { signalChannel } from "./postgres-signals.ts";
import type { Schema } from "./schema.ts";

type Options = {
  url: string;
  poolSize: number;
  onError: (error: Error) => void;
  /** After this time without a response, a statement fails and its connection is closed. */
  queryTimeoutMs?: number;
};

/** Opens a pool of connections to a PostgreSQL server, version 15 or later. Connects when first used. */
export function openPostgres(options: Options): Database {
  const { url, poolSize, onError, queryTimeoutMs } = options;
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: 5_000,
    // Detects a server that disappeared without closing its connections, so that requests do not hang.
    keepAlive: true,
    ...(queryTimeoutMs === undefined ? {} : { query_timeout: queryTimeoutMs }),
    types,
  });
  // The pool replaces a broken connection; without listeners the error would end the process, idle or in use.
  pool.on("error", (error) => onError(markDatabaseError(error)));
  pool.on("connect", (client) => void client.on("error", () => undefined));
  const texts = new Map<string, string>();
  const named = (name: string, source: string, values: readonly SqlValue[]) => {
    let text = texts.get(name);
    if (text === undefined) texts.set(name, (text = numberPlaceholders(source)));
    return marking(pool.query({ name, text, values: [...values] }));
  };
  const kysely = new Kysely<Schema>({
    dialect: new PostgresDialect({
      pool: {
        options: pool.options,
        connect: () => marking(pool.connect()),
        end: () => pool.end(),
      },
    }),
    log: (event) => {
      if (event.level === "error") markDatabaseError(event.error);
    },
  });
  return {
    dialect: "postgres",
    kysely,
    transact: (steps) => marking(transact(pool, steps)),
    query: async <Row>(statement: { name: string; text: string }, values: readonly SqlValue[]) => {
      const { rows } = await named(statement.name, statement.text, values);
      return rows as Row[];
    },
    writeGuarded: async (write: GuardedWrite, values) => {
      const { rows } = await named(write.name, write.fused, values);
      return (rows[0] as { changed: number }).changed > 0;
    },
    now: () => sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`,
    notify: async (message) =>
      void (await named("notify", "select pg_notify(?, ?)", [signalChannel, message])),
    ping: async () => void (await marking(pool.query("select 1"))),
    close: () => kysely.destroy(),
  };
}

/**
 * Runs `work` while holding a lock that only one process on this database can hold, so that nodes that
 * start at the same moment migrate one after another.
 */
export async function withMigrationLock(url: string, work: () => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  // What breaks it is thrown by the statement that waits for it.
  client.on("error", () => undefined);
  await client.connect();
  try {
    await client.query("select pg_advisory_lock(hashtext('toolhost-migrations'))");
    await work();
  } finally {
    // Ending the connection releases the lock in any case.
    await client.end();
  }
}

async function transact(pool: pg.Pool, steps: readonly TransactionStep[]): Promise<boolean> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query("begin");
    for (const step of steps) {
      const query = "mustChange" in step ? step.query : step;
      const { rowCount } = await client.query(query.sql, [...query.parameters]);
      if ("mustChange" in step && rowCount === 0) {
        if (step.refusal !== undefined) throw step.refusal();
        await client.query("rollback");
        return false;
      }
    }
    await client.query("commit");
    return true;
  } catch (error) {
    await client.query("rollback").catch((cause: Error) => (broken = cause));
    throw error;
  } finally {
    client.release(broken);
  }
}

function numberPlaceholders(text: string): string {
  let count = 0;
  return text.replaceAll("?", () => `$${++count}`);
}

/** Our 64-bit integers are times and counts, all below 2^53, so they are parsed as numbers. */
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, Number);
