import type { JsonObject } from "@toolhost/contract";
import { ServiceError } from "#core/kernel";
import type { Caller } from "#core/kernel";
import { cancelRun } from "#core/runs";
import type { ChatContext } from "../context.ts";
import { findStopQuestions } from "../question-store.ts";
import { openSubject } from "../sealed.ts";
import type { Question } from "../trigger.ts";
import { askQuestion } from "../turn.ts";
import type { Turn } from "../turn.ts";

/** The kind of the question behind the Stop button of a run in progress. */
export const stopKind = "stop";

/** Stores the question behind a Stop button. */
export function askToStop(context: ChatContext, turn: Turn, runId: string): Promise<string> {
  return askQuestion(context, turn, { kind: stopKind, subject: { runId } });
}

/** Stops the run of a Stop button. Its end is reported like any other. */
export async function stopRun(
  context: ChatContext,
  { caller }: Turn,
  { subject }: Pick<Question, "subject">,
): Promise<void> {
  await cancelIfRunning(context, caller, runOf(subject));
}

function runOf({ runId }: Question["subject"]): string {
  return typeof runId === "string" ? runId : "";
}

type Shown = { connectionId: string; messageId: string; runId: string };

/** The question behind the Stop button that a message shows for a run. */
export async function findStop(
  context: ChatContext,
  { connectionId, messageId, runId }: Shown,
): Promise<{ id: string; subject: JsonObject } | undefined> {
  const now = context.clock.now();
  const found = await findStopQuestions(context.db, { connectionId, messageId, now });
  return found
    .map(({ id, sealed_subject: sealed }) => ({ id, subject: openSubject(context, id, sealed) }))
    .find(({ subject }) => runOf(subject) === runId);
}

/** Cancels a run; false if it has ended. */
export async function cancelIfRunning(
  context: ChatContext,
  caller: Caller,
  runId: string,
): Promise<boolean> {
  try {
    await cancelRun(context, caller, runId);
    return true;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== "run_not_cancellable") throw error;
    return false;
  }
}
