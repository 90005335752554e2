import { setTimeout as sleep } from "node:timers/promises";
import type { RunsContext } from "./context.ts";
import { KeyTakenError } from "#core/kernel";
import { explainOutage } from "#db";
import type { Place } from "./admission.ts";
import { insertRun } from "./begin-store.ts";
import type { NewRun, RunKey } from "./begin-store.ts";
import { findRun } from "./run-store.ts";

type Beginning = {
  run: NewRun;
  key: RunKey | undefined;
  /** What the key answers from now on, when that is known already. */
  answer: string | undefined;
  place: Place | undefined;
};

/**
 * Writes the run and its key, and gives the place back when there is nothing to work on. Throws
 * `KeyTakenError`, and what the database throws when the run was not written.
 */
export async function beginRun(
  context: RunsContext,
  { run, key, answer, place }: Beginning,
): Promise<void> {
  let isBegun = false;
  try {
    isBegun = await insertRun(context.db, run, key, answer);
  } catch (error) {
    if (explainOutage(error) === undefined) throw error;
    isBegun = await wasWritten(context, run);
    if (!isBegun) throw error;
  } finally {
    if (!isBegun) place?.leave();
  }
  if (!isBegun) throw new KeyTakenError();
}

const looks = 6;
const firstPauseMs = 100;

/**
 * A connection may break after the statement did its work and before it said so. Then the run is there and its
 * key taken, and whoever does not look lets it wait for an end although nothing stands in its way. False when
 * the database does not come back within a few seconds.
 */
async function wasWritten(context: RunsContext, run: NewRun): Promise<boolean> {
  for (let look = 0; look < looks; look++) {
    await sleep(firstPauseMs * 2 ** look);
    try {
      const row = await findRun(context.db, { workspaceId: run.workspace_id }, run.id);
      return row?.status === "running" && row.attempt === 1;
    } catch (error) {
      context.log.debug({ err: error, runId: run.id }, "a run's beginning is not known yet");
    }
  }
  return false;
}
