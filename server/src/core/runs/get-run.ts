import type { LogLine, Run, RunSummary } from "@toolhost/contract";
import type { Caller } from "#core/kernel";
import type { RunsContext } from "./context.ts";
import { findHiddenRuns, ServiceError } from "#core/kernel";
import type { RunTable } from "#db";
import { isId } from "#lib/ids";
import { cutPage } from "#lib/page";
import { countWaiting } from "./queue-store.ts";
import { createLogReader } from "./run-log.ts";
import { listRuns } from "./run-list-store.ts";
import type { RunFilter } from "./run-list-store.ts";
import { findLogs, findVisibleRun } from "./run-store.ts";
import { presentListedRun, presentRun } from "./run.ts";

/** The row of a run that the caller may see. Throws `run_not_found`. */
export async function findRunRow(
  context: RunsContext,
  caller: Caller,
  runId: string,
): Promise<RunTable> {
  const row = isId(runId) ? await findVisibleRun(context.db, caller, runId) : undefined;
  if (row === undefined) {
    throw new ServiceError("run_not_found", "There is no run of this id that you may see.");
  }
  return row;
}

/** The record of a run, with its latest progress while it works. */
export async function getRun(context: RunsContext, caller: Caller, runId: string): Promise<Run> {
  const [row] = await withoutHiddenParents(context, caller, [
    await findRunRow(context, caller, runId),
  ]);
  const run = presentRun(row, context.config.baseUrl);
  const latest = context.runs.activeRuns.get(runId)?.progress;
  return run.status === "running" && latest !== undefined ? { ...run, progress: latest } : run;
}

/**
 * The runs that the caller may see, newest first, with the place of the next page. A page may hold fewer than its
 * limit and yet have a next one, where what is looked for is rare.
 */
export async function getRunList(
  context: RunsContext,
  caller: Caller,
  filter: RunFilter,
  page: { limit: number; after: string | undefined },
): Promise<{ runs: RunSummary[]; next: string | undefined }> {
  const { parentRunId } = filter;
  if (parentRunId !== undefined) {
    const hidden = await findHiddenRuns(context.db, caller, [parentRunId]);
    if (hidden.has(parentRunId)) return { runs: [], next: undefined };
  }
  const wanted = { ...page, limit: page.limit + 1 };
  const { rows, seenTo } = await listRuns(context.db, caller, filter, wanted);
  const { shown, next } = cutPage(rows, page.limit, ({ id }) => id);
  return {
    runs: (await withoutHiddenParents(context, caller, shown)).map((row) =>
      presentListedRun(row, context.config.baseUrl),
    ),
    next: next ?? seenTo,
  };
}

/** A run that is seen may have been run for one that is not, since that one's tool became private later. */
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

/** What the run has logged, up to about a second ago while it works. */
export async function getRunLogs(
  context: RunsContext,
  caller: Caller,
  runId: string,
): Promise<LogLine[]> {
  await findRunRow(context, caller, runId);
  const stored = await createLogReader().read(await findLogs(context.db, runId, 0));
  return stored.map(({ line }) => line);
}

/** How many runs wait, of all workspaces: for operators. Not a number while the database is away. */
export async function countWaitingRuns({ db }: RunsContext): Promise<number> {
  try {
    return (await countWaiting(db, "")).all;
  } catch {
    return Number.NaN;
  }
}
