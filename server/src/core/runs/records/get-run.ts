import type { LogLine, Run, RunSummary } from "@toolhost/contract";
import { findHiddenRuns, notFound } from "#core/kernel";
import type { Caller } from "#core/kernel";
import type { RunTable } from "#db";
import { isId } from "#lib/ids";
import { cutPage } from "#lib/page";
import type { RunsContext } from "../context.ts";
import { findLogs } from "../live/log-store.ts";
import { createLogReader } from "../live/run-log.ts";
import { presentListedRun, presentRun } from "./present-run.ts";
import { findRunTitles } from "./run-titles.ts";
import { countRunRows, listRuns } from "./run-list-store.ts";
import type { RunFilter } from "./run-list-store.ts";
import { findKeyedRows, findVisibleRun } from "./run-record-store.ts";
import type { KeyRange } from "./run-record-store.ts";

/** The row of a run that the caller may see. Throws `run_not_found`. */
export async function findRunRow(
  context: RunsContext,
  caller: Caller,
  runId: string,
): Promise<RunTable> {
  const row = isId(runId) ? await findVisibleRun(context.db, caller, runId) : undefined;
  if (row === undefined) throw notFound("run_not_found", "run", { id: runId });
  return row;
}

/** A run, with its latest progress while it executes on this node. Throws `run_not_found`. */
export async function getRun(context: RunsContext, caller: Caller, runId: string): Promise<Run> {
  const [row] = await withoutHiddenParents(context, caller, [
    await findRunRow(context, caller, runId),
  ]);
  const run = presentRun(row, context.config.baseUrl);
  const latest = context.runs.activeRuns.get(runId)?.progress;
  return run.status === "running" && latest !== undefined ? { ...run, progress: latest } : run;
}

/**
 * The runs that the caller may see, with the cursor of the next page. A page may have fewer runs than its limit and
 * still a next page, when few runs match the filter.
 */
export async function getRunList(
  context: RunsContext,
  caller: Caller,
  filter: RunFilter,
  page: { limit: number; after: string | undefined; sort?: "newest" | "oldest" },
): Promise<{ runs: RunSummary[]; next: string | undefined }> {
  const { parentRunId } = filter;
  if (parentRunId !== undefined) {
    const hidden = await findHiddenRuns(context.db, caller, [parentRunId]);
    if (hidden.has(parentRunId)) return { runs: [], next: undefined };
  }
  const wanted = { ...page, limit: page.limit + 1 };
  const { rows, scannedTo } = await listRuns(context.db, caller, filter, wanted);
  const { shown, next } = cutPage(rows, page.limit, ({ id }) => id);
  const titles = await findRunTitles(context.db, caller, shown);
  return {
    runs: (await withoutHiddenParents(context, caller, shown)).map((row) => ({
      ...presentListedRun(row, context.config.baseUrl),
      title: titles.get(row.id) ?? null,
    })),
    next: next ?? scannedTo,
  };
}

/** Counts the runs of a list, see `countRunRows`. */
export async function countRuns(
  context: RunsContext,
  caller: Caller,
  filter: RunFilter,
): Promise<{ count: number; isExact: boolean }> {
  const { parentRunId } = filter;
  if (parentRunId !== undefined) {
    const hidden = await findHiddenRuns(context.db, caller, [parentRunId]);
    if (hidden.has(parentRunId)) return { count: 0, isExact: true };
  }
  return countRunRows(context.db, caller, filter);
}

/** Hides the IDs of parents that the caller may not see, such as those whose tools became private later. */
async function withoutHiddenParents<Rows extends readonly { parent_run_id: string | null }[]>(
  { db }: RunsContext,
  caller: Caller,
  rows: Rows,
): Promise<Rows> {
  const hidden = await findHiddenRuns(
    db,
    caller,
    rows.flatMap(({ parent_run_id: id }) => id ?? []),
  );
  for (const row of rows) if (hidden.has(row.parent_run_id ?? "")) row.parent_run_id = null;
  return rows;
}

/** The log of a run, up to about a second ago while it executes. Throws `run_not_found`. */
export async function getRunLogs(
  context: RunsContext,
  caller: Caller,
  runId: string,
): Promise<LogLine[]> {
  await findRunRow(context, caller, runId);
  const stored = await createLogReader().read(await findLogs(context.db, runId, 0));
  return stored.map(({ line }) => line);
}

/** The caller's runs whose Idempotency-Keys have a common prefix, oldest first. */
export async function findKeyedRuns(
  context: RunsContext,
  caller: Caller,
  range: KeyRange,
): Promise<Run[]> {
  const rows = await findKeyedRows(context.db, caller, range);
  return rows.map((row) => presentRun(row, context.config.baseUrl));
}
