import type { Run } from "@toolhost/contract";
import type { Caller } from "#core/access";
import { auditInsert } from "#core/audit";
import type { Context } from "#core/context";
import { ServiceError } from "#core/errors";
import { findRunRow, getRun } from "./get-run.ts";

/**
 * Stops a run that is under way and answers with its record. Throws `run_not_found`, and
 * `run_not_cancellable` when it has ended already.
 */
export async function cancelRun(context: Context, caller: Caller, runId: string): Promise<Run> {
  const row = await findRunRow(context, caller, runId);
  const active = context.activeRuns.get(runId);
  if (row.status !== "running" || active === undefined) {
    throw new ServiceError("run_not_cancellable", `The run is ${row.status}.`);
  }
  await context.db.transact([
    auditInsert(context, caller, { action: "run.cancel", target: runId }),
  ]);
  active.abort.abort();
  await active.ended;
  return getRun(context, caller, runId);
}
