import type { LogLine, Run, RunSummary } from "@toolhost/contract";
import type { Caller } from "#core/access";
import type { Context } from "#core/context";
import { ServiceError } from "#core/errors";
import type { RunTable } from "#db";
import { isId } from "#lib/ids";
import { cutPage } from "#lib/page";
import { countWaiting } from "./queue-store.ts";
import { createLogReader } from "./run-log.ts";
import { findLogs, findRun, listRuns } from "./run-store.ts";
import type { RunFilter } from "./run-store.ts";
import { presentListedRun, presentRun } from "./run.ts";

/** The row of a run in the caller's workspace. Throws `run_not_found`. */
export async function findRunRow(
  context: Context,
  caller: Caller,
  runId: string,
): Promise<RunTable> {
  const row = isId(runId) ? await findRun(context.db, caller, runId) : undefined;
  if (row === undefined) {
    throw new ServiceError("run_not_found", "There is no run of this id that you may see.");
  }
  return row;
}

/** The record of a run, with its latest progress while it works. */
export async function getRun(context: Context, caller: Caller, runId: string): Promise<Run> {
  const row = await findRunRow(context, caller, runId);
  const run = presentRun(row, context.config.baseUrl);
  const latest = context.activeRuns.get(runId)?.progress;
  return run.status === "running" && latest !== undefined ? { ...run, progress: latest } : run;
}

/** The workspace's runs, newest first, with the place of the next page. */
export async function getRunList(
  context: Context,
  caller: Caller,
  filter: RunFilter,
  page: { limit: number; after: string | undefined },
): Promise<{ runs: RunSummary[]; next: string | undefined }> {
  const rows = await listRuns(context.db, caller, filter, { ...page, limit: page.limit + 1 });
  const { shown, next } = cutPage(rows, page.limit, ({ id }) => id);
  return {
    runs: shown.map((row) => presentListedRun(row, context.config.baseUrl)),
    next,
  };
}

/** What the run has logged, up to about a second ago while it works. */
export async function getRunLogs(
  context: Context,
  caller: Caller,
  runId: string,
): Promise<LogLine[]> {
  await findRunRow(context, caller, runId);
  const stored = await createLogReader().read(await findLogs(context.db, runId, 0));
  return stored.map(({ line }) => line);
}

/** How many runs wait, of all workspaces: for operators. Not a number while the database is away. */
export async function countWaitingRuns({ db }: Context): Promise<number> {
  try {
    return (await countWaiting(db, "")).all;
  } catch {
    return Number.NaN;
  }
}
