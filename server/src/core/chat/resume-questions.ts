import type { ChatContext } from "./context.ts";
import { resumeQuestion } from "./interact.ts";
import { findDueQuestions, noteLook } from "./question-store.ts";
import type { DueQuestion } from "./question-store.ts";
import { questionMs } from "./store-question.ts";

export const resumeEveryMs = 1_000;
const maxAtOnce = 50;

/** Answers the questions whose tool can run now, for example after a credential was added. Each is answered once. */
export async function resumeQuestions(context: ChatContext): Promise<void> {
  const now = context.clock.now();
  const due = await findDueQuestions(context.db, { now, limit: maxAtOnce });
  for (const question of due) await look(context, question, now);
}

async function look(context: ChatContext, due: DueQuestion, now: number): Promise<void> {
  const next = now + pauseMs(now - (due.expires_at - questionMs));
  if (!(await context.db.transact([noteLook(context.db, due, next)]))) return;
  const { id: questionId, platform, team_id: teamId, chat_user_id: chatUserId } = due;
  try {
    await resumeQuestion(context, platform, { teamId, questionId, chatUserId });
  } catch (error) {
    // The other questions still need checking, and this one is checked again.
    context.log.warn({ err: error, questionId }, "a question could not be resumed");
  }
}

/** Most people act within minutes, so later checks are rarer. */
function pauseMs(ageMs: number): number {
  if (ageMs < 600_000) return 2_000;
  return ageMs < 3_600_000 ? 15_000 : 60_000;
}
