import { reserveKey, reserveKeyValues } from "#core/kernel";
import type { Database, PreparedStatement, RunTable, SqlValue } from "#db";
import { defineGuardedWrite } from "#db";
import { computedColumns, computedValues, explainInsertError, runColumns } from "./new-run.ts";
import type { NewRun, RunKey } from "./new-run.ts";

const insert = { postgres: insertStatement("postgres"), sqlite: insertStatement("sqlite") };

function insertStatement(dialect: "postgres" | "sqlite"): PreparedStatement {
  const columns = [...runColumns, ...computedColumns.map(({ name }) => name)].join(", ");
  const values = [
    ...runColumns.map(() => "?"),
    ...computedColumns.map((column) => column[dialect]),
  ];
  const text = `insert into runs (${columns}) values (${values.join(", ")})`;
  return { name: "insert_run", text };
}

const insertWithKey = defineGuardedWrite({
  name: "insert_run_with_key",
  guard: reserveKey,
  also: [{ table: "runs", columns: [...runColumns, ...computedColumns] }],
});

/**
 * Inserts a run before its code starts, together with its Idempotency-Key. `response` is the key's stored response, if known
 * already. Returns false when the key is taken: then no run is inserted. Throws `unauthenticated` if the user is no longer a member.
 */
export async function insertRun(
  db: Database,
  run: NewRun,
  key: RunKey | undefined,
  response: string | undefined,
): Promise<boolean> {
  const values = [...runColumns.map((column) => run[column]), ...computedValues(run)];
  try {
    return await insertRow(db, run, { key, response, values });
  } catch (error) {
    throw explainInsertError(error);
  }
}

type Insertion = { key: RunKey | undefined; response: string | undefined; values: SqlValue[] };

async function insertRow(db: Database, run: NewRun, { key, response, values }: Insertion) {
  if (key === undefined) {
    await db.query(insert[db.dialect], values);
    return true;
  }
  const taken = reserveKeyValues(key.request, {
    nodeId: run.node_id,
    runId: run.id,
    headers: key.headers,
    response: response === undefined ? undefined : { status: 200, body: response },
  });
  return (await db.writeGuarded(insertWithKey, [...taken, ...values])) !== undefined;
}

/** The stored response of a run's Idempotency-Key, if there is one. */
export async function findStoredResponse(
  db: Database,
  recordId: string,
): Promise<string | undefined> {
  const row = await db.kysely
    .selectFrom("idempotency_records")
    .select("body")
    .where("id", "=", recordId)
    .where("status", "is not", null)
    .executeTakeFirst();
  return row?.body ?? undefined;
}

/** A run of the workspace. Does not check who may see it. */
export async function findRun(
  db: Database,
  { workspaceId }: { workspaceId: string },
  runId: string,
): Promise<RunTable | undefined> {
  return db.kysely
    .selectFrom("runs")
    .selectAll()
    .where("id", "=", runId)
    .where("workspace_id", "=", workspaceId)
    .executeTakeFirst();
}

/** Which of these runs have ended, or ask a question. */
export async function findNews(
  db: Database,
  runIds: readonly string[],
): Promise<{ id: string; status: string }[]> {
  return db.kysely
    .selectFrom("runs")
    .select(["id", "status"])
    .where("id", "in", runIds)
    .where((run) =>
      run.or([
        run("status", "<>", "running"),
        run.and([run("question", "is not", null), run("sealed_answer", "is", null)]),
      ]),
    )
    .execute();
}
