import type Sqlite from "better-sqlite3";
import { SqliteAdapter, SqliteDialect, SqliteDriver } from "kysely";
import type {
  CompiledQuery,
  DatabaseConnection,
  DialectAdapter,
  Driver,
  QueryResult,
} from "kysely";
import type { SqlValue } from "./database.ts";
import type { GroupCommit } from "./group-commit.ts";
import type { Statements } from "./sqlite-statements.ts";
import { whenUnlocked } from "./sqlite-lock.ts";

type Access = { sqlite: Sqlite.Database; statements: Statements; group: GroupCommit };

/**
 * Executes the statements of the query builder like all others: reads wait only for the lock of another program, and writes
 * are part of the next commit. Only migrations use a transaction, before there are other statements.
 */
export class GroupedSqliteDialect extends SqliteDialect {
  readonly #access: Access;

  constructor(access: Access) {
    super({ database: access.sqlite });
    this.#access = access;
  }

  override createAdapter(): DialectAdapter {
    return new ConcurrentAdapter();
  }

  override createDriver(): Driver {
    return new GroupedDriver(this.#access);
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

class GroupedDriver extends SqliteDriver {
  readonly #access: Access;
  #connection: DatabaseConnection | undefined;
  #isInTransaction = false;

  constructor(access: Access) {
    super({ database: access.sqlite });
    this.#access = access;
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    this.#isInTransaction = true;
    this.#access.sqlite.pragma("synchronous = FULL");
    await super.beginTransaction(connection);
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await super.commitTransaction(connection);
    this.#endTransaction();
  }

  /** SQLite rolls back by itself if the disk is full. A second rollback would fail, and hide that error. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#access.sqlite.inTransaction) await super.rollbackTransaction(connection);
    this.#endTransaction();
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection();
    this.#connection ??= {
      executeQuery: <Row>(query: CompiledQuery) =>
        this.#isInTransaction
          ? whenUnlocked(() => connection.executeQuery<Row>(query))
          : this.#execute<Row>(query),
      streamQuery: (query, chunkSize) => connection.streamQuery(query, chunkSize),
    };
    return this.#connection;
  }

  #endTransaction(): void {
    this.#access.sqlite.pragma("synchronous = NORMAL");
    this.#access.statements.noteChange();
    this.#isInTransaction = false;
  }

  async #execute<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const { statements, group } = this.#access;
    const statement = statements.prepare(sql);
    const values = parameters as SqlValue[];
    const execute = (): QueryResult<Row> => {
      if (statement.returnsRows) return { rows: statement.all(values) as Row[] };
      const { changes, lastInsertRowid } = statement.run(values);
      return { insertId: BigInt(lastInsertRowid), numAffectedRows: BigInt(changes), rows: [] };
    };
    return statement.isReadonly ? whenUnlocked(execute) : group.write(execute);
  }
}
