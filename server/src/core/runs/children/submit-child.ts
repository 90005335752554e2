import { hideAncestors, ServiceError } from "#core/kernel";
import { chargeRun } from "#core/limits";
import type { RunTable } from "#db";
import type { ActiveRun, RunCaller } from "../active-runs.ts";
import type { RunsContext } from "../context.ts";
import type { Slot } from "../queue/admission.ts";
import { redactValue } from "../results/redact-result.ts";
import type { NewRun } from "../new-run.ts";
import { retryUntilWritten } from "../retry-until-written.ts";
import { newRun, prepare, validateRun } from "../submit.ts";
import type { Prepared } from "../submit.ts";
import { parentEnded } from "./child-calls.ts";

type ChildRequest = {
  parent: ActiveRun;
  caller: RunCaller;
  /** Cancels the child. */
  abort: AbortController;
  toolName: string;
  input: unknown;
};

/** A child run that can be executed. It is not in the database yet; `refund` is called if it cannot be written. */
type Child = {
  run: NewRun;
  slot: Slot;
  prepared: Prepared;
  refund: () => void;
};

/**
 * Submits a run of a tool for a run that waits for it. A child differs from other runs in its slot, its time limit, which ends
 * with the parent's, and the files that it may name. Throws as running a tool does, `forbidden` beyond the limits on child runs,
 * and `unavailable` when no slot becomes free.
 */
export async function submitChild(
  context: RunsContext,
  { parent, caller, abort, toolName, input }: ChildRequest,
): Promise<Child> {
  countCall(context, parent, toolName);
  const { fileIds, toolWorkspaceId, credentials, redact } = parent;
  const valid = await validateRun(context, caller, {
    toolName,
    // A tool that may read a secret could pass it on, and it would end up in the record of the child.
    input: credentials.length === 0 ? input : await redactValue(input, redact),
    fileIds,
    // Installing a tool of another workspace does not give it access to the installing workspace's own tools.
    toolWorkspaceId: toolWorkspaceId === caller.workspaceId ? undefined : toolWorkspaceId,
    isParentPrivate: parent.isPrivate,
  });
  const slot = await acquireSlot(context, parent, abort.signal);
  try {
    const points = await chargeRun(context, caller);
    const refund = () => points.refund();
    if (abort.signal.aborted) {
      refund();
      throw parentEnded();
    }
    const options = { isQueued: false, key: undefined, parentRunId: parent.id };
    const run = newRun(context, caller, valid, options);
    return { run, slot, prepared: prepare(valid), refund };
  } catch (error) {
    slot.release();
    throw error;
  }
}

/**
 * Counts a call, and refuses recursion and calls beyond the limits. Calls are counted even when they create no run, since each
 * costs a database query.
 */
function countCall({ config }: RunsContext, parent: ActiveRun, toolName: string): void {
  const { lineage, family } = parent;
  if (lineage.includes(toolName)) {
    const chain = [...lineage, toolName].join(" → ");
    throw new ServiceError(
      "forbidden",
      `A tool cannot run itself, directly or indirectly: ${chain}.`,
    );
  }
  if (lineage.length > config.RUN_CHILD_DEPTH) {
    const chain = lineage.join(" → ");
    const message = `Child runs can be nested at most ${config.RUN_CHILD_DEPTH} deep: ${chain}.`;
    throw new ServiceError("forbidden", message);
  }
  if (family.calls >= config.RUN_CHILDREN_MAX) {
    const message = `A run and its descendants can make at most ${config.RUN_CHILDREN_MAX} calls to other tools.`;
    throw new ServiceError("forbidden", message);
  }
  family.calls += 1;
}

async function acquireSlot(
  { runs, config }: RunsContext,
  { workspaceId, lineage, deadline }: ActiveRun,
  signal: AbortSignal,
): Promise<Slot> {
  const waitMs = Math.min(config.RUN_CHILD_WAIT_MS, Math.max(0, deadline - performance.now()));
  const depth = lineage.length;
  const slot = await runs.childSlots.acquire({ workspaceId, depth }, { waitMs, signal });
  if (slot !== undefined) return slot;
  if (signal.aborted) throw parentEnded();
  throw new ServiceError(
    "unavailable",
    `No sandbox became available within ${waitMs} ms. Run fewer tools concurrently, or retry later.`,
    { retryAfterSeconds: 5 },
  );
}

/**
 * The parent of a private run will contain its output, so it and its ancestors become private too, before the parent gets it.
 * Retries during an outage of the database: the child has run, so an error would lead the parent to run it again.
 */
export async function inheritPrivacy(
  context: RunsContext,
  parent: ActiveRun,
  ended: Pick<RunTable, "is_private">,
): Promise<void> {
  if (ended.is_private !== 1 || parent.isPrivate) return;
  const ancestors: ActiveRun[] = [];
  for (let run: ActiveRun | undefined = parent; run !== undefined; run = run.parent)
    ancestors.push(run);
  const ancestorIds = ancestors.map(({ id }) => id);
  await retryUntilWritten(context, () => hideAncestors(context.db, ancestorIds));
  for (const run of ancestors) run.isPrivate = true;
}
