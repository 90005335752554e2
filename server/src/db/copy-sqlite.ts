import { closeSync, openSync } from "node:fs";
import Sqlite from "better-sqlite3";

/** More than any database has. */
const allPages = 0x7fff_ffff;

/**
 * Copies a database to a new file as it is at one moment. Other processes can write to it meanwhile. All pages are
 * copied in one step: between steps SQLite would start over after each write of another process.
 */
export async function copySqlite(from: string, to: string): Promise<void> {
  closeSync(openSync(to, "wx", 0o600));
  const source = new Sqlite(from, { readonly: true, fileMustExist: true });
  try {
    await source.backup(to, { progress: () => allPages });
  } finally {
    source.close();
  }
}

/** What SQLite finds wrong in a database file; empty if it is sound. Throws if the file is not a database. */
export function findDamage(file: string): string[] {
  const sqlite = new Sqlite(file, { fileMustExist: true });
  try {
    const found = sqlite.prepare<[], string>("pragma integrity_check(10)").pluck().all();
    return found.filter((line) => line !== "ok");
  } finally {
    sqlite.close();
  }
}
