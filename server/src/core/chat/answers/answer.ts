import type { ChatContext } from "../context.ts";
import type { Turn } from "../turn.ts";
import { answerByModel } from "./agent.ts";
import { answerCommand, isCommand } from "./answer-command.ts";
import { answerPhrase, readPhrase } from "./answer-phrase.ts";
import { answerQuestion } from "./answer-question.ts";
import { offerTools } from "./offer-tools.ts";
import { postCompletion } from "./post-completion.ts";
import { messages } from "./messages.ts";

/**
 * Answers a turn: by a language model that finds and runs tools, or without one by the search, which only offers tools
 * with buttons and forms. The search also answers when the model fails.
 */
export async function answer(context: ChatContext, turn: Turn): Promise<void> {
  const { trigger } = turn;
  if (trigger.kind === "run_ended") return postCompletion(context, turn, trigger);
  if (trigger.kind === "answer") return answerQuestion(context, turn, trigger);
  const { text, files } = trigger;
  const { model } = context.chat;
  if (isCommand(text)) {
    return answerCommand(context, turn, { text, files, mayRun: model !== undefined });
  }
  const phrase = files.length === 0 ? readPhrase(text) : undefined;
  if (phrase !== undefined) return answerPhrase(context, turn, phrase);
  if (model === undefined || (text.trim() === "" && files.length === 0)) {
    return offerTools(context, turn, { text, files });
  }
  if (await answerByModel(context, turn, { model, request: { text, files } })) return undefined;
  return offerTools(context, turn, { text, files, note: messages.modelUnavailable });
}
