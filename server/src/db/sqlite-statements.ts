import type Sqlite from "better-sqlite3";
import { mayChangeCachedReads } from "./cached-reads.ts";
import type { SqlValue } from "./database.ts";

/** A compiled statement. */
type Statement = {
  isReadonly: boolean;
  returnsRows: boolean;
  all: (values: readonly SqlValue[]) => unknown[];
  run: (values: readonly SqlValue[]) => Sqlite.RunResult;
};

/** Compiles a statement, or returns the one that was compiled for the same text. */
export type Prepare = (text: string) => Statement;

/** The statements of a connection. */
export type Statements = {
  prepare: Prepare;
  /** How many writes were executed that may change the rows of cached reads. */
  changes: () => number;
  noteChange: () => void;
};

/** Statements with lists of values have many texts, which are rarely used again. */
const maxStatements = 1_000;

export function createStatements(sqlite: Sqlite.Database): Statements {
  const cache = new Map<string, Statement>();
  let changes = 0;
  const noteChange = () => void (changes += 1);
  const compile = (text: string): Statement => {
    const statement = sqlite.prepare<SqlValue[]>(text);
    const { readonly: isReadonly, reader: returnsRows } = statement;
    const note = !isReadonly && mayChangeCachedReads(text) ? noteChange : () => undefined;
    return {
      isReadonly,
      returnsRows,
      all: (values) => {
        note();
        return statement.all(...values);
      },
      run: (values) => {
        note();
        return statement.run(...values);
      },
    };
  };
  return {
    prepare: (text) => {
      let statement = cache.get(text);
      if (statement === undefined) {
        statement = compile(text);
        if (cache.size >= maxStatements) cache.clear();
        cache.set(text, statement);
      }
      return statement;
    },
    changes: () => changes,
    noteChange,
  };
}
