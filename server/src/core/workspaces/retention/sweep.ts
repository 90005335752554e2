import { setTimeout as sleep } from "node:timers/promises";
import { removeExpiredSignIns } from "../account/sessions.ts";
import { deleteSearches } from "#core/catalog";
import { deleteOldStats } from "#core/stats";
import { deleteOldDeliveries } from "#core/webhooks";
import { acquireTaskLock, deleteOldEvents, mergeSegments } from "#core/kernel";
import type { WorkspacesContext } from "../context.ts";
import { deleteUnusedDrafts } from "#core/drafts";
import { removeExpiredFiles } from "#core/files";
import { removeExpiredRecords } from "#core/identity";
import { removeDeletedWorkspaces } from "../remove-deleted.ts";
import type { Database } from "#db";
import { idFloor } from "#lib/ids";
import { deleteExcessRuns } from "./excess-runs.ts";
import { deleteByWorkspaceRetention } from "./workspace-retention.ts";
import {
  oldIdempotencyRecords,
  oldLogs,
  oldRuns,
  readTime,
  sweepBatch,
} from "./retention-store.ts";
import type { Sweepable } from "./retention-store.ts";

/** How long the task lock lasts without renewal. */
const lockMs = 60_000;
const minPauseMs = 20;
const dayMs = 86_400_000;
const fileBatchSize = 50;
const searchDays = 90;
/** Deletes one batch of a kind of old data. Returns how many rows it processed. */
type Remove = () => Promise<number>;

/**
 * Deletes data that is older than its retention: finished runs, their logs, Idempotency-Keys, drafts, files and audit
 * events, and merges small segments of the audit log. Works in small batches with longer pauses, until no old data is left or `signal` aborts. With several nodes one
 * does it and the others return immediately. Ages are measured by the database's clock. An error in one kind is
 * thrown after the others are done.
 */
export async function sweep(context: WorkspacesContext, signal: AbortSignal): Promise<void> {
  const { db, nodeId } = context;
  const task = { name: "retention", nodeId, lockMs };
  if (!(await acquireTaskLock(db, task))) return;
  let lockedAt = performance.now();
  const counts: Record<string, number> = {};
  const errors: unknown[] = [];
  let left = Object.entries(removals(context, await readTime(db)));
  while (left.length > 0 && !signal.aborted) {
    const startedAt = performance.now();
    if (startedAt - lockedAt > lockMs / 2) {
      if (!(await acquireTaskLock(db, task))) break;
      lockedAt = startedAt;
    }
    const unfinished: typeof left = [];
    for (const [name, remove] of left) {
      try {
        const count = await remove();
        counts[name] = (counts[name] ?? 0) + count;
        if (count > 0) unfinished.push([name, remove]);
      } catch (error) {
        errors.push(error);
      }
    }
    left = unfinished;
    if (left.length > 0) await pause(performance.now() - startedAt, signal);
  }
  if (Object.values(counts).some((count) => count > 0)) {
    context.log.debug(counts, "deleted old data and merged segments");
  }
  if (errors.length > 0) throw new AggregateError(errors, "Some old data could not be deleted");
}

/** The deletions that the settings require, and the merge of segments, by name. */
function removals(context: WorkspacesContext, now: number): Record<string, Remove> {
  const { config } = context;
  const runDays = config.RUN_RETENTION_DAYS || Infinity;
  // Logs are deleted with their run.
  const logDays = Math.min(config.RUN_LOG_RETENTION_DAYS || Infinity, runDays);
  const auditDays = config.AUDIT_RETENTION_DAYS;
  const keysBefore = now - config.IDEMPOTENCY_RETENTION_MS;
  return {
    ...(logDays === Infinity
      ? {}
      : { logs: deleteRows(context, oldLogs, "", idFloor(now - logDays * dayMs)) }),
    ...(runDays === Infinity
      ? {}
      : { runs: deleteRows(context, oldRuns, "", idFloor(now - runDays * dayMs)) }),
    runsOfWorkspaces: deleteByWorkspaceRetention(context.db, "runs", {
      now,
      limit: batchSize(context.db),
    }),
    logsOfWorkspaces: deleteByWorkspaceRetention(context.db, "logs", {
      now,
      limit: batchSize(context.db),
    }),
    ...(config.WORKSPACE_MAX_RUN_BYTES === 0
      ? {}
      : { excessRuns: deleteExcessRuns(context, { now, limit: batchSize(context.db) }) }),
    signIns: () => removeExpiredSignIns(context),
    oauthRecords: () => removeExpiredRecords(context, batchSize(context.db)),
    deletedWorkspaces: () => removeDeletedWorkspaces(context, batchSize(context.db)),
    drafts: () => deleteUnusedDrafts(context, now, batchSize(context.db)),
    searches: () =>
      deleteSearches(context.db, {
        before: now - searchDays * dayMs,
        limit: batchSize(context.db),
      }),
    webhookDeliveries: () => deleteOldDeliveries(context.db, { now, limit: batchSize(context.db) }),
    runStats: () => deleteOldStats(context.db, now),
    files: () => removeExpiredFiles(context, fileBatchSize),
    idempotencyKeys: deleteRows(context, oldIdempotencyRecords, 0, keysBefore),
    auditSegments: () => mergeSegments(context.db, now),
    ...(auditDays === 0 ? {} : { auditEvents: deleteEvents(context, now, auditDays) }),
  };
}

function deleteRows(
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

function deleteEvents({ clock, db, log }: WorkspacesContext, now: number, days: number): Remove {
  const before = now - days * dayMs;
  return async () => {
    const deleted = await deleteOldEvents(db, { before, now: clock.now(), limit: batchSize(db) });
    if (deleted.brokenWorkspaceIds.length > 0) {
      log.error(
        { workspaceIds: deleted.brokenWorkspaceIds },
        "invalid audit log: old events are not deleted; run npm run audit:verify",
      );
    }
    return deleted.count;
  };
}

/** Pauses for three times the duration of the work, so that the sweep takes less when the database is busy. */
async function pause(workMs: number, signal: AbortSignal): Promise<void> {
  await sleep(Math.max(minPauseMs, 3 * workMs), undefined, { signal }).catch(() => undefined);
}

/** Rows per statement. The embedded database runs on the thread that serves requests. */
function batchSize(db: Database): number {
  return db.dialect === "sqlite" ? 200 : 1_000;
}
