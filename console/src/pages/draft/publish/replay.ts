import type { JsonObject, Run, RunResult } from "@toolhost/contract";
import { api } from "#api/client";
import { errorMessage } from "#api/problem";
import { isObject } from "#lib/json";
import { jsonDifferences } from "./json-diff.ts";
import type { Difference } from "./json-diff.ts";

/** An input with what came of it before: an example, or a run of the live version. */
export type Case = {
  id: string;
  label: string;
  input: JsonObject;
  /** What came of it; undefined where nobody has said. */
  before: Outcome | undefined;
};

export type Outcome = { status: string; output?: JsonObject | undefined; message?: string };

export type Replayed = {
  case: Case;
  after: Outcome;
  differences: Difference[];
};

const pauseMs = 500;

/** The examples of a definition as cases. */
export function casesOf(examples: readonly JsonObject[]): Case[] {
  return examples.map(({ input, output }, at) => ({
    id: `example-${at}`,
    label: `Example ${at + 1}`,
    input: isObject(input) ? input : {},
    before: isObject(output) ? { status: "completed", output } : undefined,
  }));
}

/** The last runs of a tool that have ended, newest first, as cases. Those of a large input are left out. */
export async function lastRuns(
  toolName: string,
  count: number,
  signal: AbortSignal,
): Promise<Case[]> {
  if (count === 0) return [];
  const { items } = await api.getPage("/runs", {
    query: { toolName, draft: "false", limit: Math.min(count * 3, 100) },
    signal,
  });
  const ended = items.filter(({ status }) => status === "completed" || status === "failed");
  const whole = await Promise.all(
    ended
      .slice(0, count)
      .map(({ runId }) => api.get("/runs/{runId}", { params: { runId }, signal })),
  );
  return whole.map((run) => ({
    id: run.runId,
    label: `Run of ${new Date(run.createdAt).toLocaleString()}`,
    input: run.input,
    before: outcomeOf(run),
  }));
}

/** Runs the saved draft with the input of a case and says what is different. Only an aborted `signal` is thrown. */
export async function replay(draftId: string, one: Case, signal: AbortSignal): Promise<Replayed> {
  const after = await runDraft(draftId, one.input, signal);
  const { before } = one;
  return { case: one, after, differences: before === undefined ? [] : compare(before, after) };
}

/** Where two outcomes differ: in their status, in the words of a failure, or in the output. */
export function compare(before: Outcome, after: Outcome): Difference[] {
  if (before.status !== after.status)
    return [{ path: "", before: wordsFor(before), after: wordsFor(after) }];
  if (before.status !== "completed") return jsonDifferences(before.message, after.message);
  return jsonDifferences(before.output, after.output);
}

function wordsFor({ status, message }: Outcome): string {
  return message === undefined ? status : `${status}: ${message}`;
}

async function runDraft(draftId: string, input: JsonObject, signal: AbortSignal): Promise<Outcome> {
  try {
    const headers = { prefer: "wait=20" };
    let run: RunResult | Run = await api.send("POST /drafts/{id}/run", {
      params: { id: draftId },
      body: input,
      headers,
      signal,
    });
    while (run.status === "running") {
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      run = await api.get("/runs/{runId}", { params: { runId: run.runId }, signal });
    }
    return outcomeOf(run);
  } catch (error) {
    signal.throwIfAborted();
    return { status: "not run", message: errorMessage(error) };
  }
}

function outcomeOf({
  status,
  output,
  error,
}: Pick<RunResult, "status" | "output" | "error">): Outcome {
  return {
    status,
    ...(output === undefined ? {} : { output }),
    ...(error === undefined ? {} : { message: error.message }),
  };
}
