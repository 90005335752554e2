import type { CompiledQuery, Kysely, RawBuilder } from "kysely";
import type { GuardedWrite } from "./guarded-write.ts";
import type { Schema } from "./schema.ts";

export type Dialect = "sqlite" | "postgres";

/** A value that both databases accept and return unchanged. */
export type SqlValue = string | number | Buffer | null;

/** A prepared statement of the hot path. Placeholders are `?`. */
export type PreparedStatement = { name: string; text: string };

/**
 * One statement of a transaction. With `mustChange`, the transaction rolls back if the statement changes or selects no
 * row, which expresses "only if it is unchanged" without an open transaction. With `refusal`, the transaction then
 * throws that error instead of resolving to false.
 */
export type TransactionStep =
  | CompiledQuery
  | { query: CompiledQuery; mustChange: true; refusal?: () => Error };

/**
 * The database, embedded or a server. There are no interactive transactions: a transaction is a list of statements, so
 * none waits for JavaScript while it holds a lock.
 */
export type Database = {
  dialect: Dialect;
  /** The query builder, for single statements and for compiling the steps of {@link Database.transact}. */
  kysely: Kysely<Schema>;
  /** Runs the steps as one transaction. False if it was rolled back because a `mustChange` step changed nothing. */
  transact(steps: readonly TransactionStep[]): Promise<boolean>;
  /** Runs one prepared statement and returns its rows. */
  query<Row>(statement: PreparedStatement, values: readonly SqlValue[]): Promise<Row[]>;
  /** Runs a guarded write and returns its result; undefined when its guard matched no row and nothing was written. */
  writeGuarded<Row extends object = object>(
    write: GuardedWrite,
    values: readonly SqlValue[],
  ): Promise<Row | undefined>;
  /** How many writes may have changed the rows of `queryCached`. Absent on PostgreSQL, where other nodes write as well. */
  changes?: () => number;
  /** The database's own time in Unix milliseconds, as part of a statement. */
  now(): RawBuilder<number>;
  /** Notifies the nodes that listen (see `Signals`), without guaranteed delivery. Does nothing on SQLite. */
  notify(message: string): Promise<void>;
  /** Throws if the database does not respond. */
  ping(): Promise<void>;
  /** How many connections of the pool are open and idle. Absent on SQLite. */
  connections?: () => { open: number; idle: number };
  close(): Promise<void>;
};
