import { sql } from "kysely";
import type { Run } from "@toolhost/contract";
import type { Caller } from "#core/kernel";
import type { RunsContext } from "./context.ts";
import { presentRun } from "./run.ts";

const maxFound = 20;

type Keyed = {
  /** How the records of their Idempotency-Keys begin. */
  start: string;
  /** An id of ours from before them all. */
  sinceId: string;
};

/** The caller's runs that were begun under keys of one kind, oldest first. */
export async function findKeyedRuns(
  context: RunsContext,
  { workspaceId, userId }: Caller,
  { start, sinceId }: Keyed,
): Promise<Run[]> {
  const rows = await context.db.kysely
    .selectFrom("runs")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("id", ">", sinceId)
    .where("user_id", "=", userId)
    .where(sql<boolean>`substr(idempotency_id, 1, ${start.length}) = ${start}`)
    .orderBy("id")
    .limit(maxFound)
    .execute();
  return rows.map((row) => presentRun(row, context.config.baseUrl));
}
