import type { ExampleResult, ExampleResults, JsonObject } from "@toolhost/contract";
import { isSame } from "@toolhost/tool-schema/json";
import type { RunState } from "@toolhost/ui";
import type { DraftOutcome } from "../run/run-draft.ts";
import { judge, readExample, toResult } from "./run-example.ts";

/** The end of a run of the form, with the definition that was run. */
type FormRun = {
  examples: readonly JsonObject[];
  fileFields: readonly string[];
  input: JsonObject;
  state: RunState;
  durationMs: number;
};

/**
 * The results of a revision after a run of the form, if its input is that of examples. Results of other examples stay as they were.
 * Undefined if the run says nothing about an example.
 */
export function addFormRun(
  before: ExampleResults | undefined,
  { examples, fileFields, input, state, durationMs }: FormRun,
): ExampleResult[] | undefined {
  const outcome = outcomeOf(state);
  if (outcome === undefined) return undefined;
  const results = new Map((before?.results ?? []).map((one) => [one.example, one]));
  let isAdded = false;
  for (const [at, stored] of examples.entries()) {
    const example = readExample(stored);
    if (!isSame(example.input, input)) continue;
    const judged = judge(example, outcome, fileFields);
    // Without its snapshot, the example expects nothing yet.
    if (judged.snapshot !== undefined) continue;
    results.set(at, toResult({ ...judged, durationMs }, at));
    isAdded = true;
  }
  return isAdded ? [...results.values()].toSorted((a, b) => a.example - b.example) : undefined;
}

function outcomeOf(state: RunState): DraftOutcome | undefined {
  if (state.status === "completed") {
    const { status, output, runId } = state;
    return { status, output, ...(runId === undefined ? {} : { runId }) };
  }
  if (state.status !== "failed" || state.code === undefined) return undefined;
  const { status, code, message, runId } = state;
  return { status, error: { code, message }, ...(runId === undefined ? {} : { runId }) };
}
