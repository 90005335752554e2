import type { Database, RunTable } from "#db";
import { noNode } from "../queue/queue-store.ts";

/** Unfinished runs of nodes that are not live. */
export async function findOrphanedRuns(
  db: Database,
  liveNodeIds: readonly string[],
): Promise<RunTable[]> {
  return db.kysely
    .selectFrom("runs")
    .selectAll()
    .where("status", "=", "running")
    .where("node_id", "not in", [...liveNodeIds, noNode])
    .limit(500)
    .execute();
}

/** Unfinished runs of a node that started before a time. */
export async function findRunsOfNode(
  db: Database,
  nodeId: string,
  before: number,
): Promise<RunTable[]> {
  return db.kysely
    .selectFrom("runs")
    .selectAll()
    .where("status", "=", "running")
    .where("node_id", "=", nodeId)
    .where("started_at", "<", before)
    .execute();
}

/** Queues a run again that a node does not execute. False if it has ended or was recovered before. */
export async function requeueRun(
  db: Database,
  run: Pick<RunTable, "id" | "node_id" | "attempt">,
  attempt: number = run.attempt + 1,
): Promise<boolean> {
  const { numUpdatedRows } = await db.kysely
    .updateTable("runs")
    .set({
      queued: 1,
      node_id: noNode,
      attempt,
      started_at: null,
      progress: null,
      question: null,
      sealed_answer: null,
    })
    .where("id", "=", run.id)
    .where("node_id", "=", run.node_id)
    .where("attempt", "=", run.attempt)
    .where("status", "=", "running")
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
