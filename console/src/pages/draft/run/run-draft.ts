import type { ErrorDetail, JsonObject, Run, RunResult } from "@toolhost/contract";
import { api } from "#api/client";
import { ApiProblem, errorMessage } from "#api/problem";

/** What a run of the draft ended with. Status `refused`: the run was not started. */
export type DraftOutcome = {
  status: string;
  output?: JsonObject | undefined;
  error?: { code: string; message: string } | undefined;
  runId?: string;
  /** The errors of the definition because of which no input can run. */
  definitionErrors?: readonly ErrorDetail[];
};

const pauseMs = 500;

/** Runs the saved draft and waits for its end. Throws only when `signal` is aborted. */
export async function runDraft(
  draftId: string,
  input: JsonObject,
  signal: AbortSignal,
): Promise<DraftOutcome> {
  try {
    let run: RunResult | Run = await api.send("POST /drafts/{id}/run", {
      params: { id: draftId },
      body: input,
      headers: { prefer: "wait=20" },
      signal,
    });
    while (run.status === "running") {
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      run = await api.get("/runs/{runId}", { params: { runId: run.runId }, signal });
    }
    const { runId, status, output, error } = run;
    return { status, output, error, runId };
  } catch (error) {
    signal.throwIfAborted();
    const code = error instanceof ApiProblem ? error.code : "";
    const refused = { status: "refused", error: { code, message: errorMessage(error) } };
    if (!(error instanceof ApiProblem) || error.code !== "invalid_tool") return refused;
    return { ...refused, definitionErrors: error.errors };
  }
}
