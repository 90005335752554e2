import { statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { startPostgres } from "../src/postgres-server.ts";
import { field } from "./json.ts";
import type { CountedService } from "./service.ts";

/** How often a statement was executed, and the bytes that it wrote to the log if the database counts them. */
export type StatementCount = { calls: number; logBytes: number };

/** The database of a service, seen from beside the service. */
export type CostStore = {
  /** The settings of the service. */
  settings: Record<string, string>;
  /** The process of the database server, if there is one. */
  serverPid?: number;
  /** Connects to the database of a service that has started. */
  open: (service: CountedService) => Promise<void>;
  /** Starts to count; the returned function returns the bytes of the log since then. */
  countLog: () => Promise<() => Promise<number>>;
  /** The statements executed so far, by text. */
  readStatements: () => Promise<Map<string, StatementCount>>;
  /** Bytes of all tables and indexes. */
  size: () => Promise<number>;
  /** Events that are not part of a chain yet. */
  countUnsealed: () => Promise<number>;
  close: () => Promise<void>;
};

/** How the statement starts with which the benchmark waits. */
const waiting = "select count(*) as value";
const unsealed = `select count(*) as count from (
  select id from audit_events where sequence is null union all select id from unsealed_run_events
) as waiting`;

export function sqliteStore(folder: string): CostStore {
  const file = join(folder, "toolhost.db");
  let database: DatabaseSync | undefined;
  let service: CountedService | undefined;
  const opened = () => (database ??= new DatabaseSync(file, { timeout: 5_000 }));
  const read = (text: string, name: string) => Number(field(opened().prepare(text).get(), name));
  const emptyLog = () => opened().exec("pragma wal_checkpoint(TRUNCATE)");
  return {
    settings: { DATABASE_URL: "" },
    open: async (started) => void (service = started),
    countLog: async () => {
      emptyLog();
      return async () => statSync(`${file}-wal`).size;
    },
    readStatements: async () => {
      const counted = Object.entries(field(await service?.ask("counters"), "statements") ?? {});
      return new Map(counted.map(([text, calls]) => [text, { calls, logBytes: 0 }]));
    },
    size: async () => {
      emptyLog();
      const pages = read("pragma page_count", "page_count");
      const free = read("pragma freelist_count", "freelist_count");
      return (pages - free) * read("pragma page_size", "page_size");
    },
    countUnsealed: async () => read(unsealed, "count"),
    close: async () => database?.close(),
  };
}

/** A server of its own that counts statements, without page images, which depend on when a checkpoint happens. */
export async function postgresStore(): Promise<CostStore> {
  const server = await startPostgres([
    "-c shared_preload_libraries=pg_stat_statements",
    "-c full_page_writes=off",
    "-c autovacuum=off",
  ]);
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  const readNumber = async (text: string) => {
    const { rows } = await client.query<{ value: string }>(text);
    return Number(rows[0]?.value);
  };
  const logPosition = "select pg_current_wal_insert_lsn() - '0/0' as value";
  return {
    settings: { DATABASE_URL: server.url },
    serverPid: server.pid(),
    open: async () => void (await client.query("create extension pg_stat_statements")),
    countLog: async () => {
      const before = await readNumber(logPosition);
      return async () => (await readNumber(logPosition)) - before;
    },
    readStatements: async () => {
      const { rows } = await client.query<{ query: string; calls: string; bytes: string }>(
        `select query, sum(calls) as calls, sum(wal_bytes) as bytes from pg_stat_statements group by query`,
      );
      return new Map(
        rows
          .filter(({ query }) => !query.startsWith(waiting))
          .map(({ query, calls, bytes }) => [
            query,
            { calls: Number(calls), logBytes: Number(bytes) },
          ]),
      );
    },
    size: async () => {
      // The table of unsealed events is empty again, but as large as it was.
      await client.query("vacuum");
      return readNumber(
        `select sum(pg_relation_size(oid)) as value from pg_class
          where relkind in ('r', 'i', 't') and relname not like 'unsealed_run_events%'`,
      );
    },
    countUnsealed: () => readNumber(unsealed.replace("as count", "as value")),
    close: async () => {
      await client.end();
      await server.remove();
    },
  };
}
