import type { JsonObject, Run, RunResult } from "@toolhost/contract";
import { api } from "#api/client";
import { errorMessage } from "#api/problem";
import { isObject } from "#lib/json";
import { jsonDifferences } from "./json-diff.ts";
import type { Difference } from "./json-diff.ts";
import { messages as allMessages } from "./messages.ts";

const messages = allMessages.replay;

/** An input to replay with its earlier outcome: an example, or a run of the live version. */
export type ReplayCase = {
  id: string;
  label: string;
  input: JsonObject;
  /** The earlier outcome; undefined for an example without an output. */
  before: Outcome | undefined;
};

export type Outcome = { status: string; output?: JsonObject | undefined; message?: string };

export type ReplayResult = {
  case: ReplayCase;
  after: Outcome;
  differences: Difference[];
};

const pauseMs = 500;

/** Turns the examples of a definition into cases. */
export function casesOf(examples: readonly JsonObject[]): ReplayCase[] {
  return examples.map(({ input, output }, at) => ({
    id: `example-${at}`,
    label: messages.example(at + 1),
    input: isObject(input) ? input : {},
    before: isObject(output) ? { status: "completed", output } : undefined,
  }));
}

/** Loads the most recent finished runs of a tool as cases, newest first. */
export async function lastRuns(
  toolName: string,
  count: number,
  signal: AbortSignal,
): Promise<ReplayCase[]> {
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
    label: messages.run(new Date(run.createdAt).toLocaleString()),
    input: run.input,
    before: outcomeOf(run),
  }));
}

/** Runs the saved draft with the input of a case and compares the outcomes. Throws only when `signal` is aborted. */
export async function replay(
  draftId: string,
  one: ReplayCase,
  signal: AbortSignal,
): Promise<ReplayResult> {
  const after = await runDraft(draftId, one.input, signal);
  const { before } = one;
  return { case: one, after, differences: before === undefined ? [] : compare(before, after) };
}

/** Compares two outcomes: their status, the error message, or the output. */
export function compare(before: Outcome, after: Outcome): Difference[] {
  if (before.status !== after.status)
    return [{ path: "", before: describeOutcome(before), after: describeOutcome(after) }];
  if (before.status !== "completed") return jsonDifferences(before.message, after.message);
  return jsonDifferences(before.output, after.output);
}

function describeOutcome({ status, message }: Outcome): string {
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
    return { status: messages.notRun, message: errorMessage(error) };
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
