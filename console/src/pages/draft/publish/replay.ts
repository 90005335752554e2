import type { JsonObject } from "@toolhost/contract";
import { formatTime } from "@toolhost/ui/time";
import { api } from "#api/client";
import { runDraft } from "../run/run-draft.ts";
import type { DraftOutcome } from "../run/run-draft.ts";
import { jsonDifferences } from "./json-diff.ts";
import type { Difference } from "./json-diff.ts";
import { messages as allMessages } from "./messages.ts";

const messages = allMessages.replay;

/** An input to replay with its earlier outcome. */
export type ReplayCase = {
  id: string;
  label: string;
  input: JsonObject;
  before: Outcome;
};

export type Outcome = { status: string; output?: JsonObject | undefined; message?: string };

export type ReplayResult = {
  case: ReplayCase;
  after: Outcome;
  differences: Difference[];
};

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
    label: messages.run(formatTime(run.createdAt)),
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
  const after = outcomeOf(await runDraft(draftId, one.input, signal));
  return { case: one, after, differences: compare(one.before, after) };
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

function outcomeOf({ status, output, error }: Omit<DraftOutcome, "runId">): Outcome {
  return {
    status,
    ...(output === undefined ? {} : { output }),
    ...(error === undefined ? {} : { message: error.message }),
  };
}
