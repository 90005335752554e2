import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { segmentsOf } from "./history-segments.ts";

/** The owner of the rows, the time of the first, and the interval between them. */
export type Shape = { workspaceId: string; userId: string; startMs: number; stepMs: number };

/** A database that is filled with runs and their audit events, as the service stores them. */
export type History = {
  /** Creates rows up to a number in each table, oldest first. */
  fillTo(rows: number): Promise<void>;
  /** The ID of the first run of the benchmark's workspace from a position on. */
  findRun(position: number): Promise<string>;
  /** The pages that all statements have read so far; undefined if the database does not count them. */
  countPages(): Promise<number | undefined>;
  close(): Promise<void>;
};

/** Names in some of the rows. The old ones are only in the oldest rows. */
export const known = {
  tool: "tool_3_abcd",
  oldTool: "old_tool_abcd",
  oldAction: "tool.update",
  oldUser: "01900000-0000-7000-8000-0000000000a9",
} as const;

const rowsAtOnce = 50_000;
const oldRows = 40;
const otherWorkspaces = [
  "01900000-0000-7000-8000-000000000001",
  "01900000-0000-7000-8000-000000000002",
];

type Value = string | number | Buffer;
type Execute = (statement: string, values?: Value[]) => Promise<Record<string, unknown>[]>;

/** SQL that differs between the two databases. */
type Words = {
  /** A table `n` with the numbers from one up to before another, in its column `i`. */
  numbers(from: number, to: number): string;
  /** The first 12 hex digits of an id of a time in milliseconds. */
  hexTime(ms: string): string;
  /** The other 20 digits of an id, or more. */
  noise(seed: string): string;
  begin: string;
  placeholder(position: number): string;
};

const postgresWords: Words = {
  numbers: (from, to) => `generate_series(${from}::bigint, ${to - 1}::bigint) as n (i)`,
  hexTime: (ms) => `lpad(to_hex(${ms}), 12, '0')`,
  noise: (seed) => `md5((${seed})::text)`,
  begin: "begin",
  placeholder: (position) => `$${position}`,
};

const sqliteWords: Words = {
  numbers: (from, to) =>
    `(with recursive n (i) as (select ${from} union all select i + 1 from n where i < ${to - 1}) select i from n) as n`,
  hexTime: (ms) => `printf('%012x', ${ms})`,
  // Not derived from the seed, because it only has to be unique.
  noise: () => "lower(hex(randomblob(16)))",
  begin: "begin immediate",
  placeholder: () => "?",
};

/** Opens a PostgreSQL database that the service has migrated. */
export async function openPostgresHistory(url: string, shape: Shape): Promise<History> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const execute: Execute = async (statement, values) =>
    (await client.query<Record<string, unknown>>(statement, values)).rows;
  const history = createHistory(execute, postgresWords, shape);
  return {
    ...history,
    fillTo: async (rows) => {
      await history.fillTo(rows);
      // Autovacuum would have done it eventually.
      await client.query("vacuum analyze runs");
      await client.query("vacuum analyze audit_segments");
      await client.query("checkpoint");
    },
    countPages: () => countPages(client),
    close: () => client.end(),
  };
}

const meter = "/* meter */";

/** Counts the pages of a server that loads pg_stat_statements. */
export async function countPages(client: pg.Client): Promise<number | undefined> {
  try {
    await client.query(`${meter} create extension if not exists pg_stat_statements`);
    // The service counts the runs of past hours in the background until it has counted all.
    const { rows } = await client.query<{ pages: number }>(`${meter}
      select sum(shared_blks_hit + shared_blks_read)::float8 as pages from pg_stat_statements
      where dbid = (select oid from pg_database where datname = current_database())
        and query not like '${meter}%' and query not like 'with page as materialized%'`);
    return rows[0]?.pages;
  } catch {
    return undefined;
  }
}

/** Opens a running service's embedded database. The service waits while this process writes. */
export function openSqliteHistory(file: string, shape: Shape): History {
  const database = new DatabaseSync(file);
  database.exec("pragma busy_timeout = 10000; pragma synchronous = off");
  const execute: Execute = async (statement, values = []) =>
    database.prepare(statement).all(...values);
  const history = createHistory(execute, sqliteWords, shape);
  return {
    ...history,
    fillTo: async (rows) => {
      await history.fillTo(rows);
      database.exec("pragma wal_checkpoint(truncate)");
    },
    countPages: async () => undefined,
    close: async () => database.close(),
  };
}

function createHistory(
  execute: Execute,
  words: Words,
  shape: Shape,
): Omit<History, "close" | "countPages"> {
  let filled = 0;
  const fill = async (from: number, to: number) => {
    await execute(words.begin);
    // Locks the chains until the end, so that the service seals nothing in between.
    await execute("update audit_heads set sequence = sequence");
    await execute(runsInsert(words, shape, from, to));
    if (from === 0) await insertOldEvents(execute, words, shape);
    const oldTo = shape.startMs + oldRows * shape.stepMs;
    const range = {
      fromMs: Math.max(oldTo, shape.startMs + from * shape.stepMs),
      toMs: shape.startMs + to * shape.stepMs,
    };
    for (const workspaceId of [shape.workspaceId, ...otherWorkspaces]) {
      await insertSegments(execute, words, { ...range, workspaceId, userId: shape.userId });
    }
    await execute("commit");
  };
  return {
    fillTo: async (rows) => {
      if (filled === 0) {
        for (const id of [shape.workspaceId, ...otherWorkspaces]) {
          await execute(
            `insert into audit_heads (workspace_id, sequence, hash) values ('${id}', 0, '') on conflict do nothing`,
          );
        }
      }
      for (; filled < rows; filled = Math.min(rows, filled + rowsAtOnce)) {
        await fill(filled, Math.min(rows, filled + rowsAtOnce));
      }
    },
    findRun: async (position) => {
      const floor = idFloor(shape.startMs + Math.floor(position) * shape.stepMs);
      const [row] = await execute(
        `select id from runs where workspace_id = '${shape.workspaceId}' and id > '${floor}' order by id limit 1`,
      );
      if (row !== undefined) return String(row["id"]);
      throw new Error("There is no run at that position");
    },
  };
}

/** The columns of row `i` that both tables share. 14 of 20 rows, and the oldest, belong to the benchmark's workspace. */
function rowsFrom(words: Words, { workspaceId, startMs, stepMs }: Shape, from: number, to: number) {
  const [second = "", third = ""] = otherWorkspaces;
  const time = `${startMs} + i * ${stepMs}`;
  return `(select i, ${time} as ms, ${words.hexTime(time)} as time,
    ${words.noise("i")} as noise, ${words.noise("-i")} as other_noise,
    case when i % 20 < 14 or i < ${oldRows} then '${workspaceId}'
      when i % 20 < 17 then '${second}' else '${third}' end as workspace_id
    from ${words.numbers(from, to)}) as r`;
}

const idOf = (noise: string) =>
  `substr(time, 1, 8) || '-' || substr(time, 9) || '-7' || substr(${noise}, 1, 3) || '-8' || substr(${noise}, 4, 3) || '-' || substr(${noise}, 7, 12)`;

/** The IDs of a time are not below it. */
function idFloor(ms: number): string {
  const time = ms.toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}`;
}

function runsInsert(words: Words, shape: Shape, from: number, to: number): string {
  return `insert into runs (id, workspace_id, tool_id, tool_name, tool_version, user_id, status, queued, via,
      actor, request_id, ip, input, output, node_id, created_at, started_at, finished_at, duration_ms, cpu_ms)
    select ${idOf("noise")}, workspace_id, 'tool', case when i < ${oldRows} then '${known.oldTool}'
        else 'tool_' || (i % 20) || '_abcd' end, 1, '${shape.userId}',
      case when i % 100 = 3 then 'failed' when i % 1000 = 4 then 'cancelled' else 'completed' end, 0, 'rest',
      '{"userId":"${shape.userId}"}', noise, '127.0.0.1',
      '{"a":' || i || ',"b":1,"text":"' || noise || noise || '"}', '{"sum":' || (i + 1) || '}',
      'node', ms, ms, ms + 12, 11.5, 3.25
    from ${rowsFrom(words, shape, from, to)}`;
}

/** Events that are not of runs: the oldest ones, of the benchmark's workspace. */
async function insertOldEvents(execute: Execute, words: Words, shape: Shape): Promise<void> {
  const { workspaceId } = shape;
  await execute(`insert into audit_events (id, workspace_id, at, actor, user_id, via, action, target, outcome,
      request_id, ip, details, sequence, hash)
    select ${idOf("other_noise")}, r.workspace_id, ms, '{"userId":"${known.oldUser}"}', '${known.oldUser}', 'rest',
      '${known.oldAction}', ${idOf("noise")}, 'success', noise, '127.0.0.1', '{}',
      h.sequence + row_number() over (order by i), noise
    from ${rowsFrom(words, shape, 0, oldRows)} join audit_heads h on h.workspace_id = r.workspace_id`);
  await execute(
    `update audit_heads set sequence = sequence + ${oldRows} where workspace_id = '${workspaceId}'`,
  );
}

type Part = { workspaceId: string; userId: string; fromMs: number; toMs: number };

/** The events of the runs of a workspace in a range of time, in segments. */
async function insertSegments(execute: Execute, words: Words, part: Part): Promise<void> {
  const { workspaceId, userId, fromMs, toMs } = part;
  const isOfWorkspace = `workspace_id = '${workspaceId}'`;
  const runs = await execute(`select id, tool_name, finished_at from runs
    where ${isOfWorkspace} and id >= '${idFloor(fromMs)}' and id < '${idFloor(toMs)}' order by id`);
  const [found] = await execute(`select sequence, hash from audit_heads where ${isOfWorkspace}`);
  const chain = {
    workspaceId,
    userId,
    sequence: Number(found?.["sequence"]),
    hash: String(found?.["hash"]),
  };
  const { segments, head } = await segmentsOf(
    chain,
    runs.map((run) => ({
      id: String(run["id"]),
      tool: String(run["tool_name"]),
      finishedMs: Number(run["finished_at"]),
    })),
  );
  for (const segment of segments) {
    const names = Object.keys(segment);
    const places = names.map((_, index) => words.placeholder(index + 1));
    await execute(
      `insert into audit_segments (${names.join(", ")}) values (${places.join(", ")})`,
      Object.values(segment),
    );
  }
  await execute(
    `update audit_heads set sequence = ${head.sequence}, hash = '${head.hash}' where ${isOfWorkspace}`,
  );
}
