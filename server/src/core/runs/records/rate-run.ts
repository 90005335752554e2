import type { Run } from "@toolhost/contract";
import { ServiceError } from "#core/kernel";
import type { Caller } from "#core/kernel";
import type { RunsContext } from "../context.ts";
import { findRunRow } from "./get-run.ts";

/** Stores how the user who started a run rates its result. Throws `run_not_found`, and `forbidden` for other users. */
export async function rateRun(
  context: RunsContext,
  caller: Caller,
  runId: string,
  feedback: NonNullable<Run["feedback"]>,
): Promise<void> {
  const row = await findRunRow(context, caller, runId);
  if (row.user_id !== caller.userId) {
    throw new ServiceError("forbidden", "Only the user who started a run can rate it.");
  }
  const { kysely } = context.db;
  await kysely
    .updateTable("runs")
    .set({ feedback })
    .where("id", "=", row.id)
    .where("workspace_id", "=", caller.workspaceId)
    .execute();
}
