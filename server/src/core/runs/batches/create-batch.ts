import { setImmediate as nextTurn } from "node:timers/promises";
import type { CreateRunBatchInput, ErrorDetail, RunBatch } from "@toolhost/contract";
import { findToolToRun } from "#core/catalog";
import type { RunnableTool } from "#core/catalog";
import { noteFileUse, inputFileIds } from "#core/files";
import { auditInsert, commitWrite, lostKey } from "#core/kernel";
import type { Caller } from "#core/kernel";
import { chargeRuns } from "#core/limits";
import type { LimitState } from "#core/limits";
import type { RunBatchTable } from "#db";
import { newId } from "#lib/ids";
import type { RunsContext } from "../context.ts";
import { checkCredentials } from "../missing-credentials.ts";
import { capBatchedRuns } from "../queue/queue-limits.ts";
import { announceQueued } from "../relay/node-messages.ts";
import { recordedInput } from "../recorded-input.ts";
import type { RecordedInput } from "../recorded-input.ts";
import { checkStorageQuota } from "../storage/storage-quota.ts";
import { checkInput, checkSandbox, newRun, throwIfInvalid } from "../submit.ts";
import { checkMembership, insertBatch } from "./batch-store.ts";
import { presentBatch } from "./get-batch.ts";

const maxErrors = 100;

type Request = CreateRunBatchInput & { noteLimits: (state: LimitState) => void };

/**
 * Queues a run for each input, all or none. They count as one run for the limits of a minute, because the queue limits how many
 * wait, and each counts for the quotas of a day. Throws as `runTool` does, with the index of an input in the paths of errors.
 */
export async function createRunBatch(
  context: RunsContext,
  caller: Caller,
  { toolName, inputs, noteLimits }: Request,
): Promise<RunBatch> {
  const { db, clock, runs } = context;
  const { tool, isPrivate } = await findToolToRun(context, caller, toolName);
  // Before the inputs are validated, which is expensive; the transaction checks it again.
  await db.transact(capBatchedRuns(context, caller.workspaceId, inputs.length));
  const recorded = await checkInputs(context, caller, tool, inputs);
  const points = await chargeRuns(context, caller, inputs.length);
  noteLimits(points.state);
  let isWritten = false;
  try {
    await noteFileUse(context, caller, { ids: filesOf(tool, inputs), isPrivate });
    const row = newBatch(caller, tool, { total: inputs.length, now: clock.now() });
    const rows = recorded.map((input) => {
      const options = { isQueued: true, key: undefined, parentRunId: null };
      return newRun(context, caller, { tool, input, isPrivate }, options);
    });
    const batch = presentBatch(row, [{ status: "running", queued: 1, runs: rows.length }]);
    isWritten = await commitWrite(context, caller, batch, [
      checkMembership(db, caller),
      ...capBatchedRuns(context, caller.workspaceId, rows.length),
      ...(await insertBatch(db, row, rows)),
      auditInsert(context, caller, {
        action: "run_batch.create",
        target: row.id,
        details: { toolName, runs: rows.length },
      }),
    ]);
    if (!isWritten) throw lostKey();
    runs.queue.add(caller.workspaceId);
    announceQueued(context);
    return batch;
  } finally {
    if (!isWritten) points.refund();
  }
}

function newBatch(
  { workspaceId, userId }: Caller,
  { name }: RunnableTool,
  { total, now }: { total: number; now: number },
): RunBatchTable {
  return {
    id: newId(),
    workspace_id: workspaceId,
    user_id: userId,
    tool_name: name,
    total,
    is_cancelled: 0,
    created_at: now,
  };
}

/** Checks all inputs, so that one error lists all of them, and takes turns with other requests. */
async function checkInputs(
  context: RunsContext,
  caller: Caller,
  tool: RunnableTool,
  inputs: CreateRunBatchInput["inputs"],
): Promise<RecordedInput[]> {
  await checkStorageQuota(context, caller.workspaceId);
  const { redact } = await checkCredentials(context, caller, tool);
  checkSandbox(context);
  const recorded: RecordedInput[] = [];
  const errors: ErrorDetail[] = [];
  for (const [index, input] of inputs.entries()) {
    const { errors: found, ...checked } = await checkInput(context, caller, { tool, input });
    errors.push(...found.map((error) => ({ ...error, path: `/inputs/${index}${error.path}` })));
    if (errors.length >= maxErrors) break;
    if (errors.length === 0) recorded.push(await recordedInput({ input, ...checked }, redact));
    await nextTurn();
  }
  throwIfInvalid(errors.slice(0, maxErrors));
  return recorded;
}

function filesOf(
  { definition: { fileFields } }: RunnableTool,
  inputs: readonly unknown[],
): ReadonlySet<string> {
  return new Set(inputs.flatMap((input) => [...inputFileIds(fileFields, input)]));
}
