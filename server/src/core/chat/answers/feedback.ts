import type { RunResult } from "@toolhost/contract";
import { ServiceError } from "#core/kernel";
import { rateRun } from "#core/runs";
import type { ChatBlock } from "../block.ts";
import type { ChatContext } from "../context.ts";
import type { PressedQuestion } from "../trigger.ts";
import { messages } from "./messages.ts";
import { askQuestion } from "../turn.ts";
import type { Turn } from "../turn.ts";

/** The kind of the question how good the result of a run is. It can be answered again. */
const feedbackKind = "feedback";

const nothing = { notice: "" };

/** Asks how good the result of a completed run is, where the platform can. */
export async function feedbackBlocks(
  context: ChatContext,
  turn: Turn,
  { runId, status }: Pick<RunResult, "runId" | "status">,
): Promise<ChatBlock[]> {
  if (status !== "completed") return [];
  if (!turn.transport.capabilities.feedback || turn.isPrivate === true) return [];
  const subject = { runId };
  const questionId = await askQuestion(context, turn, { kind: feedbackKind, subject });
  return [{ kind: "feedback", questionId }];
}

/** Stores the answer with the run, and returns what to tell the person, if anything; undefined for any other question. */
export async function takeFeedback(
  context: ChatContext,
  { kind, subject: { runId }, choice, caller }: PressedQuestion,
): Promise<{ notice: string } | undefined> {
  if (kind !== feedbackKind) return undefined;
  if (typeof runId !== "string" || (choice !== "good" && choice !== "bad")) return nothing;
  try {
    await rateRun(context, caller, runId, choice);
  } catch (error) {
    // The run may have been deleted.
    if (!(error instanceof ServiceError)) throw error;
    return nothing;
  }
  return choice === "bad" ? { notice: messages.feedbackRecorded } : nothing;
}
