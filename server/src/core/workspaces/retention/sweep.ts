import { setTimeout as sleep } from "node:timers/promises";
import { removeExpiredSignIns } from "../account/sessions.ts";
import { deleteOldEvents } from "#core/kernel";
import type { WorkspacesContext } from "../context.ts";
import { removeUnusedDrafts } from "#core/drafts";
import { removeExpiredFiles } from "#core/files";
import { removeExpiredRecords } from "#core/identity";
import { removeDeletedWorkspaces } from "../remove-deleted.ts";
import type { Database } from "#db";
import { idFloor } from "#lib/ids";
import { removeBeyondBytes } from "./beyond-bytes.ts";
import { removeByChoice } from "./own-retention.ts";
import {
  oldIdempotencyRecords,
  oldLogs,
  oldRuns,
  readTime,
  sweepBatch,
  takeTask,
} from "./retention-store.ts";
import type { Sweepable } from "./retention-store.ts";

/** How long a node keeps the task without a sign of life. */
const holdMs = 60_000;
const minPauseMs = 20;
const dayMs = 86_400_000;
const filesAtOnce = 50;
/** Removes one batch of a kind of old data, and answers how many rows it was. */
type Remove = () => Promise<number>;

/**
 * Deletes what is older than the settings say it is kept: runs that have ended, their logs, remembered
 * Idempotency-Keys, drafts, files, audit events. Works in small batches with longer pauses, until nothing old is
 * left or `signal` says to stop. On several nodes one does it and the others return at once. Ages are told
 * by the database's clock. What breaks one kind is thrown when the others are done.
 */
export async function sweep(context: WorkspacesContext, signal: AbortSignal): Promise<void> {
  const { db, nodeId } = context;
  const task = { name: "retention", nodeId, holdMs };
  if (!(await takeTask(db, task))) return;
  let takenAt = performance.now();
  const counts: Record<string, number> = {};
  const errors: unknown[] = [];
  let left = Object.entries(removals(context, await readTime(db)));
  while (left.length > 0 && !signal.aborted) {
    const startedAt = performance.now();
    if (startedAt - takenAt > holdMs / 2) {
      if (!(await takeTask(db, task))) break;
      takenAt = startedAt;
    }
    const behind: typeof left = [];
    for (const [name, remove] of left) {
      try {
        const count = await remove();
        counts[name] = (counts[name] ?? 0) + count;
        if (count > 0) behind.push([name, remove]);
      } catch (error) {
        errors.push(error);
      }
    }
    left = behind;
    if (left.length > 0) await pause(performance.now() - startedAt, signal);
  }
  if (Object.values(counts).some((count) => count > 0)) {
    context.log.debug(counts, "deleted old data");
  }
  if (errors.length > 0) throw new AggregateError(errors, "some old data was not deleted");
}

/** What there is to remove by the settings, each by its name. */
function removals(context: WorkspacesContext, now: number): Record<string, Remove> {
  const { config } = context;
  const runDays = config.RUN_RETENTION_DAYS || Infinity;
  // A log is nothing without its run.
  const logDays = Math.min(config.RUN_LOG_RETENTION_DAYS || Infinity, runDays);
  const auditDays = config.AUDIT_RETENTION_DAYS;
  const keysBefore = now - config.IDEMPOTENCY_RETENTION_MS;
  return {
    ...(logDays === Infinity
      ? {}
      : { logs: removeRows(context, oldLogs, "", idFloor(now - logDays * dayMs)) }),
    ...(runDays === Infinity
      ? {}
      : { runs: removeRows(context, oldRuns, "", idFloor(now - runDays * dayMs)) }),
    runsByChoice: removeByChoice(context.db, "runs", { now, limit: batchSize(context.db) }),
    logsByChoice: removeByChoice(context.db, "logs", { now, limit: batchSize(context.db) }),
    ...(config.WORKSPACE_MAX_RUN_BYTES === 0
      ? {}
      : { runsBeyondBytes: removeBeyondBytes(context, { now, limit: batchSize(context.db) }) }),
    signIns: () => removeExpiredSignIns(context),
    signInsOfApps: () => removeExpiredRecords(context, batchSize(context.db)),
    deletedWorkspaces: () => removeDeletedWorkspaces(context, batchSize(context.db)),
    drafts: () => removeUnusedDrafts(context, now, batchSize(context.db)),
    files: () => removeExpiredFiles(context, filesAtOnce),
    idempotencyKeys: removeRows(context, oldIdempotencyRecords, 0, keysBefore),
    ...(auditDays === 0 ? {} : { auditEvents: removeEvents(context, now, auditDays) }),
  };
}

function removeRows(
  { db }: WorkspacesContext,
  what: Sweepable,
  from: string | number,
  before: string | number,
): Remove {
  let after = from;
  return async () => {
    const batch = await sweepBatch(db, what, { after, before, limit: batchSize(db) });
    if (batch === undefined) return 0;
    after = batch.last;
    return batch.count;
  };
}

function removeEvents({ clock, db, log }: WorkspacesContext, now: number, days: number): Remove {
  const before = now - days * dayMs;
  return async () => {
    const trimmed = await deleteOldEvents(db, { before, now: clock.now(), limit: batchSize(db) });
    if (trimmed.brokenWorkspaceIds.length > 0) {
      log.error(
        { workspaceIds: trimmed.brokenWorkspaceIds },
        "an audit chain is broken, so its old events stay: run audit:verify",
      );
    }
    return trimmed.count;
  };
}

/** So that the sweep takes a quarter of the time at most, and less of a database that is busy. */
async function pause(workMs: number, signal: AbortSignal): Promise<void> {
  await sleep(Math.max(minPauseMs, 3 * workMs), undefined, { signal }).catch(() => undefined);
}

/** Rows a statement. The embedded database works on the thread that serves everybody. */
function batchSize(db: Database): number {
  return db.dialect === "sqlite" ? 200 : 1_000;
}
