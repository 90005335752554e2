import { createRequire } from "node:module";
import process from "node:process";
import type SqliteDatabase from "better-sqlite3";
import pg from "pg";
import { mergeSegments, sealEvents } from "#core/kernel";
import { migrate } from "#db";
import { openAt } from "./killed-process.ts";

// Writes to the audit log, or migrates the database, in a process that kills itself after a number of statements.

const [work = "", location = "", countText = ""] = process.argv.slice(2);
const dayMs = 86_400_000;
let left = Number(countText);

const killSelf = () => process.kill(process.pid, "SIGKILL");

/** Kills this process right after the statement, in the middle of a transaction if it is in one. */
function killAfterStatementsOfSqlite(): void {
  const Sqlite = createRequire(import.meta.url)("better-sqlite3") as typeof SqliteDatabase;
  const database = new Sqlite(":memory:");
  const prototype = Object.getPrototypeOf(database.prepare("select 1")) as Record<
    string,
    (...values: unknown[]) => unknown
  >;
  database.close();
  for (const name of ["run", "get", "all"]) {
    const execute = prototype[name];
    if (execute === undefined) throw new Error(`A statement of SQLite has no ${name}`);
    prototype[name] = function counted(...values) {
      const result = execute.apply(this, values);
      left -= 1;
      if (left === 0) killSelf();
      return result;
    };
  }
}

/** Sends no statement after the last one, and kills this process when the server has had time to execute it. */
function killAfterStatementsOfPostgres(): void {
  const prototype = pg.Client.prototype as unknown as {
    query: (...values: unknown[]) => unknown;
  };
  const { query } = prototype;
  prototype.query = function counted(...values) {
    if (left === 0) return new Promise(() => undefined);
    left -= 1;
    if (left === 0) setTimeout(killSelf, 50);
    return query.apply(this, values);
  };
}

const db = openAt(location);
await db.ping();
if (db.dialect === "postgres") killAfterStatementsOfPostgres();
else killAfterStatementsOfSqlite();
if (work === "migrate") await migrate(db);
// Only segments of earlier days are merged.
else if (work === "merge") await mergeSegments(db, Date.now() + 3 * dayMs);
else await sealEvents(db);
process.exit(0);
