import type { RunResult } from "@toolhost/contract";
import type { RunsContext } from "./context.ts";
import { hideAncestors, ServiceError } from "#core/kernel";
import { takeRun } from "#core/limits";
import type { ActiveRun, StartRun } from "./active-runs.ts";
import type { Place } from "./admission.ts";
import { beginRun } from "./begin-run.ts";
import type { NewRun } from "./begin-store.ts";
import { newRun, prepareRun } from "./prepare-run.ts";
import { redactValue } from "./redact-result.ts";
import type { RunCaller } from "./run-caller.ts";
import { presentResult } from "./run.ts";

/** A run's wish for another: who it is, in whose name it acts, and what calls the wish off. */
export type Asking = {
  parent: ActiveRun;
  caller: RunCaller;
  abort: AbortController;
  start: StartRun;
};

/**
 * Runs a tool for a run that waits for it, and answers with its end. It is a run like any other but for its
 * place, its time, which ends with the parent's, and the files that it may name. Throws what running a tool
 * throws, `forbidden` beyond what a child may be, and `unavailable` when no place becomes free.
 */
export async function runChild(
  context: RunsContext,
  { parent, caller, abort, start }: Asking,
  toolName: string,
  given: unknown,
): Promise<RunResult> {
  checkLineage(context, parent, toolName);
  // A tool that was given a secret as it is could pass it on, into the record of this run.
  const input = parent.credentials.length === 0 ? given : await redactValue(given, parent.redact);
  const { fileIds, toolHome } = parent;
  // Whoever installs a stranger's tool trusts it with what it declares, and not with all their other tools.
  const madeBy = toolHome === caller.workspaceId ? undefined : toolHome;
  const prepared = await prepareRun(context, caller, {
    toolName,
    input,
    fileIds,
    madeBy,
    isWithinPrivate: parent.isPrivate,
  });
  const place = await findPlace(context, parent, abort.signal);
  const run = newRun(context, caller, prepared, {
    isQueued: false,
    key: undefined,
    parentRunId: parent.id,
  });
  await begin(context, caller, place, async () => {
    refuseWhenOver(abort.signal);
    await beginRun(context, { run, key: undefined, answer: undefined, place });
    await keepPrivate(context, parent, run);
  });
  const { tool, input: checked } = prepared;
  const whole = { ...run, input: checked.whole };
  const outcome = await start(context, tool, whole, { place, within: { parent, abort } });
  return presentResult(outcome, context.config.baseUrl);
}

/**
 * Refuses what would go on for ever or too far. Calls are counted, and not only what comes of them, since
 * each costs a look into the database.
 */
function checkLineage({ config }: RunsContext, parent: ActiveRun, toolName: string): void {
  const { lineage, family } = parent;
  if (lineage.includes(toolName)) {
    const chain = [...lineage, toolName].join(" → ");
    throw new ServiceError("forbidden", `A tool may not run itself, at any depth: ${chain}.`);
  }
  if (lineage.length > config.RUN_CHILD_DEPTH) {
    const chain = lineage.join(" → ");
    const message = `Tools may call each other ${config.RUN_CHILD_DEPTH} deep, which ${chain} is already.`;
    throw new ServiceError("forbidden", message);
  }
  if (family.calls >= config.RUN_CHILDREN_MAX) {
    const message = `A run and all that it runs may call ${config.RUN_CHILDREN_MAX} tools altogether.`;
    throw new ServiceError("forbidden", message);
  }
  family.calls += 1;
}

async function findPlace(
  { runs, config }: RunsContext,
  { workspaceId, lineage, deadline }: ActiveRun,
  signal: AbortSignal,
): Promise<Place> {
  const waitMs = Math.min(config.RUN_CHILD_WAIT_MS, Math.max(0, deadline - performance.now()));
  const place = await runs.childPlaces.enter(
    { workspaceId, depth: lineage.length },
    { waitMs, signal },
  );
  if (place !== undefined) return place;
  refuseWhenOver(signal);
  throw new ServiceError(
    "unavailable",
    `No place for it became free within ${waitMs} ms. Run fewer tools at once, or try again later.`,
    { retryAfterSeconds: 5 },
  );
}

/** Counts the run and begins it; whatever fails, the place is free again and nothing is counted. */
async function begin(
  context: RunsContext,
  caller: RunCaller,
  place: Place,
  work: () => Promise<void>,
): Promise<void> {
  try {
    const points = await takeRun(context, caller);
    try {
      await work();
    } catch (error) {
      points.giveBack();
      throw error;
    }
  } catch (error) {
    place.leave();
    throw error;
  }
}

/** What asks for a private run will contain its answer, so it is private from then on. */
async function keepPrivate(
  { db }: RunsContext,
  parent: ActiveRun,
  child: Pick<NewRun, "id">,
): Promise<void> {
  if (parent.isPrivate) return;
  const askers: ActiveRun[] = [];
  for (let run: ActiveRun | undefined = parent; run !== undefined; run = run.parent)
    askers.push(run);
  const ancestorIds = askers.map(({ id }) => id);
  if (!(await hideAncestors(db, child.id, ancestorIds))) return;
  for (const run of askers) run.isPrivate = true;
}

function refuseWhenOver(signal: AbortSignal): void {
  if (signal.aborted) throw new ServiceError("unavailable", "The run that asks for it is over.");
}
