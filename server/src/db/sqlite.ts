import { closeSync, existsSync, mkdirSync, openSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Sqlite from "better-sqlite3";
import { Kysely, sql } from "kysely";
import type { KyselyConfig } from "kysely";
import { messageOf } from "#lib/message-of";
import { removeDrafts } from "#lib/private-file";
import { OperatorError } from "#lib/operator-error";
import type { Database, SqlValue, TransactionStep } from "./database.ts";
import { createGroupCommit } from "./group-commit.ts";
import type { GroupCommit } from "./group-commit.ts";
import type { GuardedWrite } from "./guarded-write.ts";
import type { Schema } from "./schema.ts";
import { GroupedSqliteDialect } from "./sqlite-dialect.ts";
import { isLocked, whenUnlocked } from "./sqlite-lock.ts";
import { createStatements } from "./sqlite-statements.ts";
import type { Prepare } from "./sqlite-statements.ts";

/** The data folder cannot be used: another process uses it, or a restore into it is not complete. */
export class DataFolderError extends OperatorError {
  override name = "DataFolderError";
}

/** Opens the embedded database file, and creates it if it is missing. A write is on the disk when it resolves. */
export function openSqlite(file: string, options: Pick<KyselyConfig, "log"> = {}): Database {
  const sqlite = openPrivate(file);
  sqlite.pragma("journal_mode = WAL");
  // The group commit syncs each commit before it is acknowledged, and SQLite syncs before it moves changes from the log.
  sqlite.pragma("synchronous = NORMAL");
  sqlite.pragma("foreign_keys = ON");
  // While another program has locked the file, `whenUnlocked` waits without blocking this process.
  sqlite.pragma("busy_timeout = 0");
  const statements = createStatements(sqlite);
  const { prepare } = statements;
  const group = createGroupCommit(sqlite);
  const dialect = new GroupedSqliteDialect({ sqlite, statements, group });
  const kysely = new Kysely<Schema>({ dialect, ...options });
  return {
    dialect: "sqlite",
    kysely,
    transact: (steps) => undoable(group, () => runSteps(prepare, steps)),
    query: async <Row>(statement: { text: string }, values: readonly SqlValue[]) => {
      const prepared = prepare(statement.text);
      const execute = () => prepared.all(values) as Row[];
      if (prepared.isReadonly) return whenUnlocked(execute);
      if (prepared.returnsRows) return group.write(execute);
      await group.write(() => prepared.run(values));
      return [];
    },
    writeGuarded: <Row extends object>(write: GuardedWrite, values: readonly SqlValue[]) =>
      group.write(() => runGuarded(prepare, write, values) as Row | undefined),
    now: () => sql<number>`cast(unixepoch('subsec') * 1000 as integer)`,
    changes: statements.changes,
    notify: async () => undefined,
    ping: async () => void sqlite.prepare("select 1").get(),
    close: async () => {
      await group.close();
      await kysely.destroy();
    },
  };
}

const lockAttempts = 12;
const lockPauseMs = 100;

/**
 * Locks the data folder until `release` or until this process ends in any way, because the operating system releases
 * the lock. Throws `DataFolderError` if another process has locked it, and while a restore into it is not complete,
 * unless the caller is a restore. Deletes incomplete files of processes that were killed.
 */
export async function lockDataFolder(
  folder: string,
  { isRestore = false } = {},
): Promise<{ release(): void }> {
  const lock = await takeLock(folder);
  if (!isRestore && existsSync(restoreMarker(folder))) {
    lock.close();
    throw new DataFolderError(
      `A restore into the data folder ${folder} was interrupted. Run the restore again, or empty the folder.`,
    );
  }
  await removeDrafts(folder);
  return { release: () => void lock.close() };
}

/** A file that exists in a data folder while a restore into it is not complete. */
export function restoreMarker(folder: string): string {
  return join(folder, "restore.incomplete");
}

async function takeLock(folder: string): Promise<Sqlite.Database> {
  for (let attempt = 1; ; attempt++) {
    const lock = openPrivate(join(folder, "lock.db"), { timeout: 0 });
    try {
      lock.pragma("locking_mode = EXCLUSIVE");
      lock.exec("begin exclusive");
      return lock;
    } catch (cause) {
      lock.close();
      if (!isLocked(cause)) {
        const file = join(folder, "lock.db");
        throw new DataFolderError(`The file ${file} cannot be locked: ${messageOf(cause)}.`, {
          cause,
        });
      }
      if (attempt < lockAttempts) {
        // Two processes that try at the same instant block each other, so each waits for a random time.
        await sleep(Math.random() * lockPauseMs);
        continue;
      }
      throw new DataFolderError(
        `Another Toolhost is running on the data folder ${folder}. Stop it, or set DATA_DIR to another folder.`,
        { cause },
      );
    }
  }
}

/**
 * Opens a database file that only the service's user can read; SQLite creates its other files with the same mode. The
 * folder can be traversed by others, because the sandbox's user has its sockets in subfolders.
 */
function openPrivate(file: string, options: Sqlite.Options = {}): Sqlite.Database {
  mkdirSync(dirname(file), { recursive: true, mode: 0o711 });
  closeSync(openSync(file, "a", 0o600));
  return new Sqlite(file, options);
}

/** Rolls a transaction back without an error for the caller. */
class RolledBack extends Error {}

function runSteps(prepare: Prepare, steps: readonly TransactionStep[]): boolean {
  for (const step of steps) {
    const query = "mustChange" in step ? step.query : step;
    const statement = prepare(query.sql);
    const values = query.parameters as SqlValue[];
    const count = statement.returnsRows
      ? statement.all(values).length
      : statement.run(values).changes;
    if ("mustChange" in step && count === 0) throw step.refusal?.() ?? new RolledBack();
  }
  return true;
}

function runGuarded(
  prepare: Prepare,
  write: GuardedWrite,
  values: readonly SqlValue[],
): object | undefined {
  let from = 0;
  let result: object = {};
  for (const [index, { text, valueCount }] of write.steps.entries()) {
    const statement = prepare(text);
    const own = values.slice(from, from + valueCount);
    let changes: number;
    if (statement.returnsRows) {
      const rows = statement.all(own) as object[];
      changes = rows.length;
      result = rows[0] ?? result;
    } else changes = statement.run(own).changes;
    // Nothing was written yet, so there is nothing to undo.
    if (index === 0 && changes === 0) return undefined;
    from += valueCount;
  }
  return result;
}

async function undoable(group: GroupCommit, work: () => boolean): Promise<boolean> {
  try {
    return await group.write(work);
  } catch (error) {
    if (error instanceof RolledBack) return false;
    throw error;
  }
}
