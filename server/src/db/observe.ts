import type { LogEvent } from "kysely";
import type { Database } from "./database.ts";

/**
 * Called with the texts of the statements that start, several if they are one transaction; the function that it returns
 * is called at their end. Statements that are reported at their end only come with the time when they started.
 */
export type StatementObserver = (
  texts: readonly string[],
  startedAt?: number,
) => ((error?: unknown) => void) | undefined;

/** The database, with its statements reported to `observe`. Those of its query builder are reported by {@link logTo}. */
export function observeDatabase(database: Database, observe: StatementObserver): Database {
  const observed = async <T>(texts: readonly string[], work: () => Promise<T>): Promise<T> => {
    const end = observe(texts);
    try {
      const result = await work();
      end?.();
      return result;
    } catch (error) {
      end?.(error);
      throw error;
    }
  };
  return {
    ...database,
    transact: (steps) =>
      observed(
        steps.map((step) => ("mustChange" in step ? step.query.sql : step.sql)),
        () => database.transact(steps),
      ),
    query: (statement, values) =>
      observed([statement.text], () => database.query(statement, values)),
    writeGuarded: (write, values) =>
      observed([write.fused], () => database.writeGuarded(write, values)),
  };
}

/** The `log` option of a query builder that reports its statements to `observe`. */
export function logTo(observe: StatementObserver) {
  return (event: LogEvent): void => {
    const startedAt = performance.timeOrigin + performance.now() - event.queryDurationMillis;
    const end = observe([event.query.sql], startedAt);
    if (event.level === "error") end?.(event.error);
    else end?.();
  };
}
