import process from "node:process";
import { ApiError } from "@toolhost/client";
import type { Client, Question } from "@toolhost/client";
import { fromPointers } from "@toolhost/tool-schema";
import { toTerminalText } from "../terminal/text.ts";
import { askFields, contentOf } from "./ask-fields.ts";
import type { Answers, FieldProblems } from "./ask-fields.ts";
import { questionText } from "./question-text.ts";

/** A run whose tool asks. */
export type AskingRun = { runId: string; toolName: string };

/**
 * Asks the user of the terminal what a running tool wants to know, and sends the answer. `signal` ends the dialog, when the question
 * is closed elsewhere. Returns false when the user interrupts it. All texts are the tool's, so they must not control the terminal.
 */
export async function answerQuestion(
  client: Client,
  { runId, toolName }: AskingRun,
  { id: questionId, message, schema }: Question,
  signal: AbortSignal,
): Promise<boolean> {
  const prompts = await import("@clack/prompts");
  const common = { output: process.stderr, signal };
  const asked = toTerminalText(questionText(toolName, message), false);
  const warning = "Do not enter passwords or keys: the tool reads the answer.";
  process.stderr.write(`${asked}\n${warning}\n`);
  const isAnswered = await prompts.confirm({ message: "Answer the tool?", ...common });
  if (signal.aborted) return true;
  if (prompts.isCancel(isAnswered)) return false;
  if (!isAnswered) {
    await client.runs.answer(runId, { questionId, action: "decline" });
    return true;
  }
  const answers: Answers = new Map();
  let problems: FieldProblems | undefined;
  do {
    const isComplete = await askFields(schema, { answers, problems, ...common });
    if (signal.aborted) return true;
    if (!isComplete) return false;
    const content = contentOf(answers);
    problems = await client.runs
      .answer(runId, { questionId, action: "accept", content })
      .then(() => undefined, problemsOf);
  } while (problems !== undefined);
  return true;
}

/** The problems of fields that the service reports. Throws any other error. */
function problemsOf(error: unknown): FieldProblems {
  if (!(error instanceof ApiError) || error.code !== "invalid_input") throw error;
  const problems = fromPointers(error.errors);
  process.stderr.write(`${toTerminalText(error.message, false)}\n`);
  return new Map(problems.map(({ path: [name = ""], message }) => [name, message]));
}
