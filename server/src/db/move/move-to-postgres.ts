import type pg from "pg";
import { migrate } from "../migrate.ts";
import { openPostgres, withMigrationLock } from "../postgres.ts";
import { lockDataFolder } from "../sqlite.ts";
import { MoveError } from "./move-error.ts";
import { compareTable, copyTable } from "./move-table.ts";
import { planMove } from "./plan-move.ts";
import type { MovedTable } from "./plan-move.ts";
import { openSource, quoted } from "./source.ts";
import type { Source } from "./source.ts";
import { connectTarget, readMigrations, readTables } from "./target.ts";

type Move = {
  dataDir: string;
  /** The file of the embedded database in that folder. */
  file: string;
  /** The PostgreSQL database to fill. */
  url: string;
  /** Called when both databases have been checked. */
  onStart: () => void;
  /** Called for each table once its rows are copied and verified. */
  onTable: (name: string, rows: number) => void;
};

/**
 * Copies an embedded database into an empty PostgreSQL database in one transaction, and verifies row by row that both
 * are equal before it commits. The embedded database is unchanged. Throws `DataFolderError` while a service uses
 * the folder, and `MoveError` for any other problem that an operator can fix.
 */
export async function moveToPostgres({ dataDir, file, url, ...report }: Move): Promise<void> {
  // Checked first, because the lock would turn a wrong folder into a data folder.
  openSource(file).close();
  const lock = await lockDataFolder(dataDir);
  const source = openSource(file);
  try {
    // Nodes that start during the move wait for this lock.
    await withMigrationLock(url, async () => {
      const database = openPostgres({ url, poolSize: 1, onError: () => undefined });
      try {
        await migrate(database);
      } finally {
        await database.close();
      }
      const client = await connectTarget(url);
      try {
        await fill(source, client, report);
      } finally {
        // Unless the transaction is committed, this rolls it back.
        await client.end();
      }
    });
  } finally {
    source.close();
    lock.release();
  }
}

async function fill(
  source: Source,
  client: pg.Client,
  { onStart, onTable }: Pick<Move, "onStart" | "onTable">,
): Promise<void> {
  compareVersions(source.migrations(), await readMigrations(client));
  const tables = planMove(source.tables(), await readTables(client));
  await client.query("begin");
  await lockTarget(client, tables);
  onStart();
  const counts: [MovedTable, number][] = [];
  for (const table of tables) {
    counts.push([table, await copyTable(source, client, table)]);
    // Updates the statistics for the queries below and for the service.
    await client.query(`analyze ${quoted([table.name])}`);
  }
  for (const [table, count] of counts) {
    await compareTable(source, client, table);
    onTable(table.name, count);
  }
  await client.query("commit");
}

function compareVersions(source: readonly string[], target: readonly string[]): void {
  const behind = target.filter((name) => !source.includes(name));
  const ahead = source.filter((name) => !target.includes(name));
  if (ahead.length > 0) {
    throw new MoveError(
      `The embedded database is of a newer version of Toolhost (${ahead.join(", ")}). Move it with that version.`,
    );
  }
  if (behind.length > 0) {
    throw new MoveError(
      `The embedded database is of an older version of Toolhost (it lacks ${behind.join(", ")}). Start and stop this version with it once, then move it.`,
    );
  }
}

/** Checks that the target is empty, and locks it against other writers until the end of the transaction. */
async function lockTarget(client: pg.Client, tables: readonly MovedTable[]): Promise<void> {
  const live = await client.query(
    "select 1 from nodes where seen_at > extract(epoch from clock_timestamp()) * 1000 - 15000",
  );
  if (live.rows.length > 0) {
    throw new MoveError("A Toolhost is running on the target database. Stop it first.");
  }
  await client.query("set local lock_timeout = '10s'");
  await client.query(`lock table ${quoted(tables.map(({ name }) => name))} in exclusive mode`);
  const filled: string[] = [];
  for (const { name } of tables) {
    const { rows } = await client.query(`select 1 from ${quoted([name])} limit 1`);
    if (rows.length > 0) filled.push(name);
  }
  if (filled.length > 0) {
    throw new MoveError(
      `The target database already contains data, in ${filled.join(", ")}. Use an empty database.`,
    );
  }
}
