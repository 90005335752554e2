import type { Database, PreparedStatement } from "#db";

/** Some lines of a run's log as they are stored. */
export type LogChunk = { chunk: number; lineCount: number; body: Buffer };

const updateProgress: PreparedStatement = {
  name: "set_run_progress",
  text: "update runs set progress = ? where id = ? and status = 'running'",
};

export async function setProgress(db: Database, runId: string, progress: string): Promise<void> {
  await db.query(updateProgress, [progress, runId]);
}

/** Writes log lines of a run that is still executing. */
export async function insertLogChunk(
  db: Database,
  runId: string,
  { chunk, lineCount, body }: LogChunk,
): Promise<void> {
  const row = { run_id: runId, chunk, line_count: lineCount, body };
  await db.kysely
    .insertInto("run_logs")
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(["run_id", "chunk"]).doUpdateSet({ line_count: lineCount, body }),
    )
    .execute();
}

/** A run's log from a chunk on, in order. */
export async function findLogs(
  db: Database,
  runId: string,
  fromChunk: number,
): Promise<{ chunk: number; body: Buffer }[]> {
  return db.kysely
    .selectFrom("run_logs")
    .select(["chunk", "body"])
    .where("run_id", "=", runId)
    .where("chunk", ">=", fromChunk)
    .orderBy("chunk")
    .execute();
}
