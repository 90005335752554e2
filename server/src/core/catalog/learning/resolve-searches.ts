import type { BaseContext } from "#core/kernel";
import type { ToolSearchTable } from "#db";
import { timeOfId } from "#lib/ids";
import { findPending, findRuns, setOutcome } from "./search-store.ts";

/** A run counts as a result of a search if it starts within this time. */
const runWithinMs = 10 * 60_000;
/** Runs may take as long as this before the outcome of a search is decided. */
const runEndsWithinMs = 20 * 60_000;
const searchesAtOnce = 100;

type Runs = Awaited<ReturnType<typeof findRuns>>;

/**
 * Decides what became of searches: whether the same user then ran a tool that was found, another one, or none. Works from
 * stored searches and runs, so neither a search nor a run waits for it, and any node may do it. Nodes that do it at the
 * same time decide the same.
 */
export async function resolveSearches({ db }: Pick<BaseContext, "db">, now: number): Promise<void> {
  const pending = await findPending(db, now - runEndsWithinMs, searchesAtOnce);
  for (const [workspaceId, searches] of Map.groupBy(pending, (one) => one.workspace_id)) {
    const times = searches.map(({ id }) => timeOfId(id));
    const range = { from: Math.min(...times), until: Math.max(...times) + runWithinMs };
    const runs = await findRuns(db, workspaceId, range);
    for (const search of searches)
      await setOutcome(db, search, outcomeOf(search, timeOfId(search.id), runs));
  }
}

function outcomeOf(search: ToolSearchTable, at: number, runs: Runs) {
  const found = JSON.parse(search.found) as string[];
  const own = runs.filter(
    ({ user_id: userId, created_at: startedAt }) =>
      userId === search.user_id && startedAt >= at && startedAt <= at + runWithinMs,
  );
  const run = own.find(({ tool_id: id }) => found.includes(id));
  if (run !== undefined) return { outcome: "run" as const, tool_id: run.tool_id };
  if (found.length === 0) return { outcome: "no_match" as const, tool_id: null };
  return { outcome: own.length > 0 ? ("other" as const) : ("not_run" as const), tool_id: null };
}
