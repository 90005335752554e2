import type { Database } from "./database.ts";
import { migrate } from "./migrate.ts";
import { logTo, observeDatabase } from "./observe.ts";
import type { StatementObserver } from "./observe.ts";
import { connecting } from "./open-error.ts";
import { openPostgres, withMigrationLock } from "./postgres.ts";
import { databaseFile } from "./require-database.ts";
import { lockDataFolder, openSqlite } from "./sqlite.ts";

export type { Database, PreparedStatement, SqlValue, TransactionStep } from "./database.ts";
export type * from "./audit-schema.ts";
export type * from "./alert-schema.ts";
export type * from "./chat-schema.ts";
export type * from "./credential-schema.ts";
export type * from "./draft-schema.ts";
export type * from "./import-schema.ts";
export type * from "./oauth-schema.ts";
export type * from "./people-schema.ts";
export type * from "./run-schema.ts";
export type * from "./schema.ts";
export type * from "./search-schema.ts";
export type * from "./stats-schema.ts";
export type * from "./webhook-schema.ts";
export type { Insert, InsertSelect, Update } from "./guarded-write.ts";
export { explainOutage, isDatabaseError, isNullError } from "./database-error.ts";
export { queryCached } from "./cached-reads.ts";
export { defineGuardedWrite } from "./guarded-write.ts";
export { idsOfPage, indexRange } from "./index-range.ts";
export { copySqlite, findDamage } from "./copy-sqlite.ts";
export { findUnknownMigrations, migrate } from "./migrate.ts";
export type { StatementObserver } from "./observe.ts";
export { connecting } from "./open-error.ts";
export { MoveError } from "./move/move-error.ts";
export { moveToPostgres } from "./move/move-to-postgres.ts";
export { DataFolderError, lockDataFolder, openSqlite, restoreMarker } from "./sqlite.ts";
export { databaseFile, isMigrated, requireDatabase } from "./require-database.ts";
export { openPostgres } from "./postgres.ts";
export type { Signals } from "./postgres-signals.ts";
export { listenForSignals } from "./postgres-signals.ts";

/** Longer than any statement of the service takes on a healthy server. */
const queryTimeoutMs = 10_000;

type Location = {
  dataDir: string;
  DATABASE_URL?: string | undefined;
  DATABASE_DIRECT_URL?: string | undefined;
  DATABASE_POOL_SIZE: number;
  /** Called for each statement; none if left out. */
  observe?: StatementObserver | undefined;
  /** Called with the time that each statement or transaction waited for a connection, in milliseconds. */
  onConnection?: ((waitMs: number) => void) | undefined;
};

/**
 * Opens and migrates the configured database. Only one process can open an embedded database: throws
 * `DataFolderError` if another one has, and `OperatorError` if the server cannot be used. `prepare` runs once the data folder is locked and before the database is
 * opened.
 */
export async function openDatabase<T>(
  location: Location,
  onError: (error: Error) => void,
  prepare: () => Promise<T>,
): Promise<{ database: Database; prepared: T }> {
  const {
    DATABASE_URL: url,
    DATABASE_DIRECT_URL: directUrl = url,
    observe,
    onConnection,
  } = location;
  const logged = observe === undefined ? {} : { log: logTo(observe) };
  const observed = (opened: Database) =>
    observe === undefined ? opened : observeDatabase(opened, observe);
  if (url !== undefined && directUrl !== undefined) {
    await withMigrationLock(directUrl, async () => {
      // Migrations may take long, so they have no timeout.
      const database = openPostgres({ url: directUrl, poolSize: 1, onError });
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
      onConnection,
      ...logged,
    });
    try {
      await connecting(url, () => database.ping());
      return { database: observed(database), prepared: await prepare() };
    } catch (error) {
      await database.close();
      throw error;
    }
  }
  const lock = await lockDataFolder(location.dataDir);
  try {
    const prepared = await prepare();
    const database = openSqlite(databaseFile(location.dataDir), logged);
    await migrate(database);
    const close = async () => {
      await database.close();
      lock.release();
    };
    return { database: observed({ ...database, close }), prepared };
  } catch (error) {
    lock.release();
    throw error;
  }
}
