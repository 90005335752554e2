import { reserveKey, reserveKeyValues } from "#core/kernel";
import type { StoredResponse, KeyedRequest } from "#core/kernel";
import type { Database, PreparedStatement, RunTable } from "#db";
import { defineGuardedWrite } from "#db";

const runColumns = [
  "id",
  "workspace_id",
  "tool_id",
  "tool_name",
  "tool_version",
  "user_id",
  "status",
  "queued",
  "via",
  "actor",
  "request_id",
  "ip",
  "input",
  "sealed_input",
  "node_id",
  "created_at",
  "started_at",
  "idempotency_id",
  "attempt",
  "parent_run_id",
  "draft_id",
] as const satisfies readonly (keyof RunTable)[];

/** A run as it begins. `is_private` is what its caller saw: the row may be private where this is not. */
export type NewRun = Pick<RunTable, (typeof runColumns)[number] | "is_private">;

/** The key that asks for a run, with what its answer will carry. */
export type RunKey = { request: KeyedRequest; headers: StoredResponse["headers"] };

/**
 * Whether the run is private is decided as its row is written, since its tool or its parent may have become private after
 * they were looked up. On PostgreSQL both rows are locked until then, so that `hideUnfinishedRuns` misses no run.
 * Takes four values: whether the caller saw that it is private, the ids of tool and workspace, and the parent's id.
 */
function isPrivateNow(lock: string): string {
  return `case when ? = 1
    or (select visibility from tools where id = ? and workspace_id = ?${lock}) = 'private'
    or (select is_private from runs where id = ?${lock}) = 1
    then 1 else 0 end`;
}

const isPrivate = {
  name: "is_private",
  postgres: isPrivateNow(" for share"),
  sqlite: isPrivateNow(""),
};

const insert = { postgres: insertStatement("postgres"), sqlite: insertStatement("sqlite") };

function insertStatement(dialect: "postgres" | "sqlite"): PreparedStatement {
  const marks = runColumns.map(() => "?").join(", ");
  const text = `insert into runs (${runColumns.join(", ")}, is_private) values (${marks}, ${isPrivate[dialect]})`;
  return { name: "insert_run", text };
}

const insertWithKey = defineGuardedWrite({
  name: "insert_run_with_key",
  guard: reserveKey,
  also: [{ table: "runs", columns: [...runColumns, isPrivate] }],
});

/**
 * Writes a run before its code starts, together with its Idempotency-Key; `answer` is what the key answers
 * from now on, when that is known already. False when the key is taken: then there is no run.
 */
export async function insertRun(
  db: Database,
  run: NewRun,
  key: RunKey | undefined,
  answer: string | undefined,
): Promise<boolean> {
  const values = [
    ...runColumns.map((column) => run[column]),
    run.is_private,
    run.tool_id,
    run.workspace_id,
    run.parent_run_id,
  ];
  if (key === undefined) {
    await db.query(insert[db.dialect], values);
    return true;
  }
  const taken = reserveKeyValues(key.request, {
    nodeId: run.node_id,
    runId: run.id,
    headers: key.headers,
    response: answer === undefined ? undefined : { status: 200, body: answer },
  });
  return db.writeGuarded(insertWithKey, [...taken, ...values]);
}

const keepFirst = defineGuardedWrite({
  name: "keep_run_answer",
  guard: {
    table: "idempotency_records",
    set: ["status", "body"],
    where: ["id"],
    still: "status is null",
  },
  also: [],
});

/** Keeps an answer that is given before the run's end; false when the end was first. */
export async function keepEarlyAnswer(
  db: Database,
  recordId: string,
  body: string,
): Promise<boolean> {
  return db.writeGuarded(keepFirst, [200, body, recordId]);
}

/** The answer that a run's key gives, when it was given before the run's end. */
export async function findRunAnswer(db: Database, recordId: string): Promise<string | undefined> {
  const row = await db.kysely
    .selectFrom("idempotency_records")
    .select("body")
    .where("id", "=", recordId)
    .where("status", "is not", null)
    .executeTakeFirst();
  return row?.body ?? undefined;
}
