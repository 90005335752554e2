import pg from "pg";
import { every } from "../../server/src/lib/every.ts";
import { startPostgres } from "../src/postgres-server.ts";
import type { PostgresServer } from "../src/postgres-server.ts";
import { watchTree } from "./process-tree.ts";

/** What a database server did in a period. */
export type Usage = {
  seconds: number;
  /** CPU time of all its processes. */
  cpuMs: number;
  statements: number;
  notifies: number;
  /** Bytes of its log of changes. */
  logBytes: number;
  /** How often each statement was executed, by text. */
  calls: Map<string, number>;
};

/** The samples of sessions that executed a statement, by what they waited for; "CPU" if for nothing. */
export type Waits = Map<string, number>;

/** A PostgreSQL server of its own, whose work is measured from outside of the product. */
export type PostgresMeter = {
  url: string;
  /** Starts a period; the returned function ends it. */
  measure(): Promise<() => Promise<Usage>>;
  /** Samples what sessions wait for, until the returned function is called. */
  sampleWaits(): () => Promise<Waits>;
  /** Whether commits wait for the disk, which otherwise limits a small machine before its cores do. */
  waitForDisk(isOn: boolean): Promise<void>;
  /** Connections of clients, without that of the meter. */
  countConnections(): Promise<number>;
  close(): Promise<void>;
};

const sampleEveryMs = 20;
/** No statement of the product contains it. */
const own = "/* meter */";

const readStatements = `${own} select query, sum(calls)::float8 as calls from pg_stat_statements
  where query not like '${own}%' group by query`;
const readLog = `${own} select (pg_current_wal_insert_lsn() - '0/0')::float8 as position`;
const readSessions = `${own} select coalesce(wait_event_type || ' ' || wait_event, 'CPU') as event
  from pg_stat_activity
  where backend_type = 'client backend' and state = 'active' and pid <> pg_backend_pid()`;

/** Starts a server with room for many nodes, which counts its statements. */
export async function startMeteredPostgres(maxConnections = 300): Promise<PostgresMeter> {
  const server = await startPostgres([
    "-c shared_preload_libraries=pg_stat_statements",
    "-c pg_stat_statements.max=10000",
    // Counted by name only, the plans are of no use here.
    "-c pg_stat_statements.track_utility=off",
    `-c max_connections=${maxConnections}`,
  ]);
  try {
    return await openMeter(server);
  } catch (error) {
    await server.remove();
    throw error;
  }
}

async function openMeter(server: PostgresServer): Promise<PostgresMeter> {
  const client = new pg.Client({ connectionString: server.url });
  const sampler = new pg.Client({ connectionString: server.url });
  await Promise.all([client.connect(), sampler.connect()]);
  await client.query(`${own} create extension if not exists pg_stat_statements`);
  const watch = watchTree(server.pid());
  // Its backends are children that the server waits for, so samples at intervals are not needed.
  watch.stop();
  const read = async () => {
    const { rootMs, descendantsMs } = watch.cpu();
    const log = await client.query<{ position: number }>(readLog);
    const statements = await client.query<{ query: string; calls: number }>(readStatements);
    return {
      at: performance.now(),
      cpuMs: rootMs + descendantsMs,
      logBytes: log.rows[0]?.position ?? Number.NaN,
      calls: new Map(statements.rows.map(({ query, calls }) => [query, calls])),
    };
  };
  const readNumber = async (text: string) => {
    const { rows } = await client.query<{ value: number }>(`${own} ${text}`);
    return rows[0]?.value ?? Number.NaN;
  };
  return {
    url: server.url,
    measure: async () => {
      const before = await read();
      return async () => usageBetween(before, await read());
    },
    sampleWaits: () => sampleWaits(sampler),
    waitForDisk: async (isOn) => {
      await client.query(`${own} alter system set synchronous_commit = ${isOn ? "on" : "off"}`);
      await client.query(`${own} select pg_reload_conf()`);
    },
    countConnections: () =>
      readNumber(
        "select count(*)::int - 2 as value from pg_stat_activity where backend_type = 'client backend'",
      ),
    close: async () => {
      await Promise.all([client.end(), sampler.end()]);
      await server.remove();
    },
  };
}

type Reading = { at: number; cpuMs: number; logBytes: number; calls: Map<string, number> };

function usageBetween(before: Reading, after: Reading): Usage {
  const calls = new Map(
    [...after.calls].map(([text, count]) => [text, count - (before.calls.get(text) ?? 0)] as const),
  );
  const notifies = [...calls].filter(([text]) => text.includes("pg_notify"));
  return {
    seconds: (after.at - before.at) / 1_000,
    cpuMs: after.cpuMs - before.cpuMs,
    logBytes: after.logBytes - before.logBytes,
    statements: sum(calls.values()),
    notifies: sum(notifies.map(([, count]) => count)),
    calls,
  };
}

function sampleWaits(client: pg.Client): () => Promise<Waits> {
  const waits: Waits = new Map();
  const sample = async () => {
    const { rows } = await client.query<{ event: string }>(readSessions);
    for (const { event } of rows) waits.set(event, (waits.get(event) ?? 0) + 1);
  };
  const errors: unknown[] = [];
  const sampling = every(sampleEveryMs, sample, (error) => errors.push(error));
  return async () => {
    await sampling.stop();
    if (errors.length > 0) throw errors[0];
    return waits;
  };
}

function sum(counts: Iterable<number>): number {
  return [...counts].reduce((total, count) => total + count, 0);
}

/** The share of samples whose wait is of a type, such as `Lock`. */
export function shareOfWaits(waits: Waits, type: string): number {
  const some = [...waits].filter(([event]) => event.split(" ")[0] === type);
  return sum(some.map(([, count]) => count)) / Math.max(1, sum(waits.values()));
}

/** The most frequent waits, such as `Lock tuple 12 %`. */
export function describeWaits(waits: Waits, count = 4): string {
  const all = Math.max(1, sum(waits.values()));
  return [...waits]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, count)
    .map(([event, samples]) => `${event} ${((samples / all) * 100).toFixed(1)} %`)
    .join(", ");
}
