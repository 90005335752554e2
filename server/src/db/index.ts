import { join } from "node:path";
import type { Database } from "./database.ts";
import { migrate } from "./migrate.ts";
import { openPostgres, withMigrationLock } from "./postgres.ts";
import { lockDataFolder, openSqlite } from "./sqlite.ts";

export type { Database, PreparedStatement, SqlValue, TransactionStep } from "./database.ts";
export type * from "./chat-schema.ts";
export type * from "./credential-schema.ts";
export type * from "./draft-schema.ts";
export type * from "./people-schema.ts";
export type * from "./schema.ts";
export type { Insert, Update } from "./guarded-write.ts";
export { explainOutage, isDatabaseError } from "./database-error.ts";
export { defineGuardedWrite } from "./guarded-write.ts";
export { indexRange } from "./index-range.ts";
export { findUnknownMigrations, migrate } from "./migrate.ts";
export { copySqlite, findDamage } from "./copy-sqlite.ts";
export { MoveError } from "./move/move-error.ts";
export { moveToPostgres } from "./move/move-to-postgres.ts";
export { DataFolderError, lockDataFolder, openSqlite, restoreMarker } from "./sqlite.ts";
export { openPostgres } from "./postgres.ts";
export type { Signals } from "./postgres-signals.ts";
export { listenForSignals } from "./postgres-signals.ts";

/** Where the embedded database lives in a data folder. */
export function databaseFile(dataDir: string): string {
  return join(dataDir, "toolhost.db");
}

/** No statement of ours takes nearly as long while the server is well. */
const queryTimeoutMs = 10_000;

type Location = {
  dataDir: string;
  DATABASE_URL?: string | undefined;
  DATABASE_POOL_SIZE: number;
};

/**
 * Opens the database that the configuration names, migrated. The embedded one is for this process alone:
 * throws `DataFolderError` when another holds it. `prepare` runs once the folder is ours and
 * before the database is opened.
 */
export async function openDatabase<T>(
  location: Location,
  onError: (error: Error) => void,
  prepare: () => Promise<T>,
): Promise<{ database: Database; prepared: T }> {
  const { DATABASE_URL: url } = location;
  if (url !== undefined) {
    await withMigrationLock(url, async () => {
      // A migration may take its time.
      const database = openPostgres({ url, poolSize: 1, onError });
      try {
        await migrate(database);
      } finally {
        await database.close();
      }
    });
    const database = openPostgres({
      url,
      poolSize: location.DATABASE_POOL_SIZE,
      onError,
      queryTimeoutMs,
    });
    return { database, prepared: await prepare() };
  }
  const lock = await lockDataFolder(location.dataDir);
  try {
    const prepared = await prepare();
    const database = openSqlite(databaseFile(location.dataDir));
    await migrate(database);
    const close = async () => {
      await database.close();
      lock.release();
    };
    return { database: { ...database, close }, prepared };
  } catch (error) {
    lock.release();
    throw error;
  }
}
