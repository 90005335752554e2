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
  /** The embedded database's file within it. */
  file: string;
  /** The PostgreSQL database to fill. */
  url: string;
  /** Told of each table once all its rows are copied and found the same. */
  onTable: (name: string, rows: number) => void;
};

/**
 * Copies an embedded database into an empty PostgreSQL database, all or nothing, and checks row by row
 * that both are the same before it commits. The embedded file stays as it is. Throws
 * `DataFolderError` while a service runs on the folder, and `MoveError` for any other problem that an
 * operator can fix.
 */
export async function moveToPostgres({ dataDir, file, url, onTable }: Move): Promise<void> {
  // Looked for first, so that a wrong folder is not made into a data folder by its lock.
  openSource(file).close();
  const lock = await lockDataFolder(dataDir);
  const source = openSource(file);
  try {
    // Nodes that start meanwhile wait for this lock.
    await withMigrationLock(url, async () => {
      const database = openPostgres({ url, poolSize: 1, onError: () => undefined });
      try {
        await migrate(database);
      } finally {
        await database.close();
      }
      const client = await connectTarget(url);
      try {
        await fill(source, client, onTable);
      } finally {
        // Without a commit before, this undoes everything.
        await client.end();
      }
    });
  } finally {
    source.close();
    lock.release();
  }
}

async function fill(source: Source, client: pg.Client, onTable: Move["onTable"]): Promise<void> {
  compareVersions(source.migrations(), await readMigrations(client));
  const tables = planMove(source.tables(), await readTables(client));
  await client.query("begin");
  await takeTarget(client, tables);
  const counts: [MovedTable, number][] = [];
  for (const table of tables) {
    counts.push([table, await copyTable(source, client, table)]);
    // So that the look-ups below, and the service later, know how much there is.
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
      `The embedded database is of an older version of Toolhost (it lacks ${behind.join(", ")}). Start this version on it once, stop it, and move it then.`,
    );
  }
}

/** Checks that the target is empty, and locks it against other writers until the end of the transaction. */
async function takeTarget(client: pg.Client, tables: readonly MovedTable[]): Promise<void> {
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
      `The target database has data already, in ${filled.join(", ")}. Name an empty one.`,
    );
  }
}
