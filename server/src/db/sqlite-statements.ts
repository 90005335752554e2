import type Sqlite from "better-sqlite3";
import type { SqlValue } from "./database.ts";

/** Compiles a statement, or returns the one that was compiled for the same text. */
export type Prepare = (text: string) => Sqlite.Statement<SqlValue[]>;

/** Statements with lists of values have many texts, which are rarely used again. */
const maxStatements = 1_000;

export function createStatementCache(sqlite: Sqlite.Database): Prepare {
  const cache = new Map<string, Sqlite.Statement<SqlValue[]>>();
  return (text) => {
    let statement = cache.get(text);
    if (statement === undefined) {
      statement = sqlite.prepare<SqlValue[]>(text);
      if (cache.size >= maxStatements) cache.clear();
      cache.set(text, statement);
    }
    return statement;
  };
}
