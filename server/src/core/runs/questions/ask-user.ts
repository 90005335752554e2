import type { Answer, Question } from "@toolhost/contract";
import type { InternalService } from "@toolhost/sandbox";
import { ServiceError } from "#core/kernel";
import { toTimestamp } from "#lib/clock";
import { newId } from "#lib/ids";
import { within } from "#lib/within";
import { notifyWatchers } from "../active-runs.ts";
import type { ActiveRun, ExecutableRun } from "../active-runs.ts";
import { errorResponse, readJsonBody } from "../children/child-calls.ts";
import type { RunsContext } from "../context.ts";
import { broadcast } from "../relay/node-messages.ts";
import { redactValue } from "../results/redact-result.ts";
import { answerAddress, unsealAnswer } from "./open-question.ts";
import { closeUnanswered, deleteQuestion, findQuestion, openQuestion } from "./question-store.ts";
import { readQuestion } from "./read-question.ts";
import type { AskedQuestion } from "./read-question.ts";

const maxQuestions = 10;
const answerTimeoutMs = 300_000;
/** Left for the tool when no one answers before the run's time limit. */
const reserveMs = 1_000;
const pollIntervalMs = 1_000;
const maxBodyBytes = 32 * 1024;

const cancelled: Answer = { action: "cancel" };

/** Handles `POST /` of `ctx.ask`: asks the user of the run, and responds with the answer. */
export function serveQuestions(
  context: RunsContext,
  run: ExecutableRun,
  active: ActiveRun,
): InternalService {
  return async ({ body }, signal) => {
    try {
      const value = await readJsonBody(context, active, body, {
        maxBytes: maxBodyBytes,
        name: "question",
      });
      const asked = readQuestion(value);
      if (!canAnswer(run)) return Response.json(cancelled);
      return Response.json(await askOnce(context, run, active, { asked, signal }));
    } catch (error) {
      return errorResponse(context, active.id, error);
    }
  };
}

/** No user watches a batch or a scheduled run, and the user of a child run has called another tool. */
function canAnswer({ parent_run_id: parentId, batch_id: batchId, via }: ExecutableRun): boolean {
  return parentId === null && (batchId ?? null) === null && via !== "schedule";
}

type Asked = { asked: AskedQuestion; signal: AbortSignal };

async function askOnce(
  context: RunsContext,
  run: ExecutableRun,
  active: ActiveRun,
  { asked, signal }: Asked,
): Promise<Answer> {
  const { questions } = active;
  if (questions.isAsking) {
    throw new ServiceError("forbidden", "A run can ask only one question at a time.");
  }
  if (questions.count >= maxQuestions) {
    throw new ServiceError("forbidden", `A run can ask at most ${maxQuestions} questions.`);
  }
  questions.count += 1;
  questions.isAsking = true;
  try {
    return await ask(context, run, active, { asked, signal });
  } finally {
    questions.isAsking = false;
    questions.open = undefined;
    notifyWatchers(active);
  }
}

async function ask(
  context: RunsContext,
  run: ExecutableRun,
  active: ActiveRun,
  { asked, signal }: Asked,
): Promise<Answer> {
  const { db, runs } = context;
  const waitMs = Math.min(answerTimeoutMs, active.deadline - performance.now() - reserveMs);
  if (waitMs <= 0 || signal.aborted) return cancelled;
  // The tool can read values of credentials, and everyone who sees the run sees the question.
  const shown = (await redactValue(asked, active.redact)) as AskedQuestion;
  const expiresAt = toTimestamp(context.clock.now() + waitMs);
  const question: Question = { id: newId(), ...shown, expiresAt };
  if (!(await openQuestion(db, run, JSON.stringify(question)))) return cancelled;
  try {
    active.questions.open = question;
    active.slot?.setAsking?.(true);
    notifyWatchers(active);
    runs.completions.notify(run.id, "asked");
    broadcast(context, { kind: "asked", runId: run.id });
    return await waitForAnswer(context, run, question.id, { waitMs, signal });
  } finally {
    active.slot?.setAsking?.(false);
    await deleteQuestion(db, run).catch((error: unknown) => {
      // The end of the run deletes it, too.
      context.log.debug({ err: error, runId: run.id }, "could not delete a question");
    });
  }
}

/** Waits until the question is answered on any node, expires, or the run ends. */
async function waitForAnswer(
  context: RunsContext,
  run: ExecutableRun,
  questionId: string,
  { waitMs, signal }: { waitMs: number; signal: AbortSignal },
): Promise<Answer> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const { promise: notified, resolve } = Promise.withResolvers<void>();
    const stopListening = context.runs.relay.listen(answerAddress(questionId), resolve);
    try {
      const leftMs = deadline - performance.now();
      const isOver = signal.aborted || leftMs <= 0;
      if (isOver && (await closeUnanswered(context.db, run))) return cancelled;
      const state = await tryFindQuestion(context, run);
      if (state?.sealed_answer != null) {
        return unsealAnswer(context, questionId, state.sealed_answer);
      }
      // Another node ends or takes over the run of a node that it considers offline.
      if (isOver || state?.question === null) return cancelled;
      await within(notified, Math.min(pollIntervalMs, leftMs), signal);
    } finally {
      stopListening();
    }
  }
}

/** Undefined while the database is unavailable: the next poll may find the answer. */
async function tryFindQuestion(context: RunsContext, { id }: Pick<ExecutableRun, "id">) {
  try {
    return await findQuestion(context.db, { id });
  } catch (error) {
    context.log.debug({ err: error, runId: id }, "could not read the answer to a question");
    return undefined;
  }
}
