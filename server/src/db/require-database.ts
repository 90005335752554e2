import { existsSync } from "node:fs";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { DataFolderError } from "./sqlite.ts";

/** The path of the embedded database in a data folder. */
export function databaseFile(dataDir: string): string {
  return join(dataDir, "toolhost.db");
}

/** The path of the embedded database in a data folder. Throws `DataFolderError` if there is none, and creates nothing. */
export function requireDatabase(dataDir: string): string {
  const file = databaseFile(dataDir);
  if (existsSync(file) && isMigrated(file)) return file;
  throw new DataFolderError(`No database found in ${dataDir}.`);
}

/** Whether a file is a database of this service. Throws `DataFolderError` if it is no database, or damaged. */
export function isMigrated(file: string): boolean {
  try {
    const sqlite = new Sqlite(file, { readonly: true, fileMustExist: true });
    try {
      const query = "select 1 from sqlite_schema where name = 'kysely_migration'";
      return sqlite.prepare(query).get() !== undefined;
    } finally {
      sqlite.close();
    }
  } catch (cause) {
    if (!(cause instanceof Sqlite.SqliteError) || !/NOTADB|CORRUPT/.test(cause.code)) throw cause;
    throw new DataFolderError(`The database ${file} is damaged. Restore it from a backup.`, {
      cause,
    });
  }
}
