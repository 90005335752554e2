import type { Answer, AnswerQuestionInput, Run } from "@toolhost/contract";
import { auditInsert, commitWrite, notFound, ServiceError } from "#core/kernel";
import type { Caller } from "#core/kernel";
import { prepareSchema } from "#core/validation";
import type { RunTable } from "#db";
import type { RunsContext } from "../context.ts";
import { findRunRow, getRun } from "../records/get-run.ts";
import { notifyNode } from "../relay/relayed-messages.ts";
import { throwIfInvalid } from "../submit.ts";
import { answerAddress, openQuestionOf, sealAnswer } from "./open-question.ts";
import { storeAnswer } from "./question-store.ts";

/**
 * Answers the question of a run that executes on any node, and returns the run. Only the user who started the run may. Throws
 * `run_not_found`, `question_closed`, and `invalid_input` when the content does not match the question's schema.
 */
export async function answerQuestion(
  context: RunsContext,
  caller: Caller,
  runId: string,
  { questionId, ...input }: AnswerQuestionInput,
): Promise<Run> {
  const row = await findOwnRow(context, caller, runId);
  const question = openQuestionOf(row);
  if (question?.id !== questionId) throw closed(runId);
  const answer = toAnswer(input);
  if (answer.action === "accept") {
    const schema = prepareSchema({ ...question.schema, additionalProperties: false });
    const { content: value } = answer;
    const content = { value, text: JSON.stringify(value) };
    const { errors } = await context.validation.checkInput(caller.workspaceId, schema, content);
    throwIfInvalid(errors);
  }
  const { question: _, ...run } = await getRun(context, caller, runId);
  const isStored = await commitWrite(context, caller, run, [
    {
      query: storeAnswer(context.db, row, sealAnswer(context, questionId, answer)),
      mustChange: true,
    },
    auditInsert(context, caller, {
      action: "run.answer",
      target: runId,
      details: { questionId, answer: answer.action },
    }),
  ]);
  if (!isStored) throw closed(runId);
  notifyNode(context, answerAddress(questionId));
  return run;
}

/** The row of a run that the caller started. Another user's run is reported as not found. */
async function findOwnRow(context: RunsContext, caller: Caller, runId: string): Promise<RunTable> {
  const row = await findRunRow(context, caller, runId);
  if (row.user_id !== caller.userId) throw notFound("run_not_found", "run", { id: runId });
  return row;
}

function toAnswer({ action, content = {} }: Omit<AnswerQuestionInput, "questionId">): Answer {
  return action === "accept" ? { action, content } : { action };
}

function closed(runId: string): ServiceError {
  return new ServiceError(
    "question_closed",
    `Run ${runId} does not ask this question, or no longer. Read the run for its state.`,
  );
}
