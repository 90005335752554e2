import type { ChatContext } from "../context.ts";
import type { ChatFile } from "../block.ts";
import type { ChatThreadMessage } from "../platform.ts";
import { readTurnHistory } from "../turn.ts";
import type { Turn } from "../turn.ts";
import { answerByModel } from "./agent.ts";
import { answerCommand, isCommand } from "./answer-command.ts";
import { answerPhrase } from "./answer-phrase.ts";
import { answerQuestion } from "./answer-question.ts";
import { offerTools } from "./offer-tools.ts";
import { postCompletion } from "./post-completion.ts";
import { messages } from "./messages.ts";
import { readPhrase } from "./read-phrase.ts";

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
    const known = await knownFiles(context, turn, files);
    return answerCommand(context, turn, { text, files: known, mayRun: model !== undefined });
  }
  const phrase = files.length === 0 ? readPhrase(text) : undefined;
  // A language model has better words for a greeting.
  const isForModel = phrase === "greeting" && model !== undefined;
  if (phrase !== undefined && !isForModel) return answerPhrase(context, turn, phrase);
  if (model === undefined || (text.trim() === "" && files.length === 0)) {
    return offerTools(context, turn, { text, files: await knownFiles(context, turn, files) });
  }
  const earlier = await earlierFiles(context, turn);
  const request = {
    text,
    files: [...files, ...earlier].slice(0, maxFiles),
    ownCount: files.length,
  };
  if (await answerByModel(context, turn, { model, request })) return undefined;
  const known = await knownFiles(context, turn, files);
  return offerTools(context, turn, { text, files: known, note: messages.modelUnavailable });
}

const maxFiles = 20;

/** The files of a message, or else those of the latest message of the thread that has any. */
async function knownFiles(
  context: ChatContext,
  turn: Turn,
  files: readonly ChatFile[],
): Promise<readonly ChatFile[]> {
  return files.length > 0 ? files : latest(await readTurnHistory(context, turn));
}

function latest(history: readonly ChatThreadMessage[]): readonly ChatFile[] {
  return history.findLast(({ files = [] }) => files.length > 0)?.files ?? [];
}

/** The files earlier in the thread, the latest first. */
async function earlierFiles(context: ChatContext, turn: Turn): Promise<ChatFile[]> {
  const history = await readTurnHistory(context, turn);
  return history.toReversed().flatMap(({ files = [] }) => files);
}
