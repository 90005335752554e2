import { setTimeout as sleep } from "node:timers/promises";
import Sqlite from "better-sqlite3";
import { SqliteAdapter, SqliteDialect, SqliteDriver } from "kysely";
import type { DatabaseConnection, DialectAdapter, Driver } from "kysely";

const maxWaitMs = 1_000;
const pauseMs = 10;

/**
 * Retries `work` for a short time while another program has locked the database. SQLite's own wait would block all requests
 * of this process.
 */
export async function whenUnlocked<T>(work: () => T | Promise<T>): Promise<T> {
  let deadline: number | undefined;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const now = performance.now();
      deadline ??= now + maxWaitMs;
      if (!isLocked(error) || now > deadline) throw error;
      await sleep(pauseMs);
    }
  }
}

/** Whether a statement failed because another connection has locked the file. */
export function isLocked(error: unknown): boolean {
  return error instanceof Sqlite.SqliteError && error.code.startsWith("SQLITE_BUSY");
}

/**
 * Statements of the query builder that wait for the lock of another program. They do not wait for each other: each is one
 * synchronous call, and only migrations use a transaction, before there are other statements.
 */
export class WaitingSqliteDialect extends SqliteDialect {
  readonly #database: Sqlite.Database;

  constructor(database: Sqlite.Database) {
    super({ database });
    this.#database = database;
  }

  override createAdapter(): DialectAdapter {
    return new ConcurrentAdapter();
  }

  override createDriver(): Driver {
    return new WaitingDriver(this.#database);
  }
}

class ConcurrentAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }

  /** Otherwise a process that ends during a migration would leave half of it, and no later one could complete it. */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class WaitingDriver extends SqliteDriver {
  readonly #database: Sqlite.Database;
  #connection: DatabaseConnection | undefined;

  constructor(database: Sqlite.Database) {
    super({ database });
    this.#database = database;
  }

  /** SQLite rolls back by itself if the disk is full. A second rollback would fail, and hide that error. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#database.inTransaction) await super.rollbackTransaction(connection);
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection();
    this.#connection ??= {
      executeQuery: (query) => whenUnlocked(() => connection.executeQuery(query)),
      streamQuery: (query, chunkSize) => connection.streamQuery(query, chunkSize),
    };
    return this.#connection;
  }
}
