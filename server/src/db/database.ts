import type { CompiledQuery, Kysely, RawBuilder } from "kysely";
import type { GuardedWrite } from "./guarded-write.ts";
import type { Schema } from "./schema.ts";

export type Dialect = "sqlite" | "postgres";

/** A value that both databases take and give as it is. */
export type SqlValue = string | number | Buffer | null;

/** A statement of the hot path, kept prepared by the database. Placeholders are `?`. */
export type PreparedStatement = { name: string; text: string };

/**
 * One statement of a transaction. With `mustChange` the whole transaction is undone when the statement
 * changes, or selects, no row: the way to say "only if it is still so" without holding a transaction open.
 * With `refusal` the transaction then throws that error instead of resolving to false.
 */
export type TransactionStep =
  | CompiledQuery
  | { query: CompiledQuery; mustChange: true; refusal?: () => Error };

/**
 * The database, embedded or a server. There are no interactive transactions: a transaction is a list of
 * statements, so none waits for our code while it holds a lock.
 */
export type Database = {
  dialect: Dialect;
  /** The query builder, for single statements and for compiling the steps of {@link Database.transact}. */
  kysely: Kysely<Schema>;
  /** Runs the steps as one transaction. False when a `mustChange` step changed nothing. */
  transact(steps: readonly TransactionStep[]): Promise<boolean>;
  /** Runs one prepared statement and gives its rows. */
  query<Row>(statement: PreparedStatement, values: readonly SqlValue[]): Promise<Row[]>;
  /** Runs a guarded write; false when its guard matched no row and nothing was written. */
  writeGuarded(write: GuardedWrite, values: readonly SqlValue[]): Promise<boolean>;
  /** The database's own time in Unix milliseconds, as part of a statement. */
  now(): RawBuilder<number>;
  /** Notifies the nodes that listen (see `Signals`), without guaranteed delivery. Does nothing on SQLite. */
  notify(message: string): Promise<void>;
  /** Throws when the database does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
};
