import { KeyTakenError } from "#core/kernel";
import { createActiveRun } from "./active-runs.ts";
import type { ActiveRun } from "./active-runs.ts";
import type { RunsContext } from "./context.ts";
import type { NewRun, RunKey } from "./new-run.ts";
import { delayRecord } from "./run-record.ts";
import { writeRun } from "./submit.ts";

type Unwritten = {
  run: NewRun;
  key?: RunKey | undefined;
  parent?: ActiveRun;
  /** Cancels the run. */
  abort?: AbortController;
  /** Called with the run's ID once the run is in the database. */
  noteRun?: ((runId: string) => void) | undefined;
};

/** A run that is written while it executes. It is aborted if that fails. */
export function startUnwritten(
  context: RunsContext,
  { run, key, parent, abort = new AbortController(), noteRun }: Unwritten,
): ActiveRun {
  const write = async () => {
    if (!(await writeRun(context, run, { key }))) throw new KeyTakenError();
    noteRun?.(run.id);
  };
  const record = delayRecord({ row: run, key }, write, () => abort.abort());
  return createActiveRun(run, { abort, record, ...(parent === undefined ? {} : { parent }) });
}
