import type { Responder } from "../responder.ts";
import type { Config } from "#config";
import { lazy } from "#lib/lazy";
import { answerByModel } from "./agent.ts";
import { answerCommand, isCommand } from "./answer-command.ts";
import { answerQuestion, checkForm, formFor, isReady } from "./answer-question.ts";
import { createChatModel } from "./model.ts";
import { offerTools } from "./offer-tools.ts";
import { showFinished, showRunning } from "./run-blocks.ts";
import { postCompletion } from "./post-completion.ts";

/**
 * What answers in chats: a language model that finds and runs tools, or without one the search, which only offers
 * tools by buttons and forms. What a model fails at is answered without it.
 */
export function createResponder(config: Config): Responder {
  const open = createChatModel(config);
  const model = open === undefined ? undefined : lazy(open);
  return {
    answer: async (context, turn) => {
      const { trigger } = turn;
      if (trigger.kind === "run_ended") return postCompletion(context, turn, trigger);
      if (trigger.kind === "answer") return answerQuestion(context, turn, trigger);
      const { text, files } = trigger;
      if (isCommand(text)) {
        return answerCommand(context, turn, { text, files, mayRun: model !== undefined });
      }
      if (model === undefined || (text.trim() === "" && files.length === 0)) {
        return offerTools(context, turn, { text, files });
      }
      if (await answerByModel(context, turn, { model, request: { text, files } })) return undefined;
      const note = "I can't reach the AI model right now. Closest match by keywords:";
      return offerTools(context, turn, { text, files, note });
    },
    formFor,
    checkForm,
    isReady,
    showProgress: ({ config: { baseUrl } }, { runId, title, isQueued, hasEnded, progress }) =>
      hasEnded
        ? showFinished(runId, { title, baseUrl })
        : showRunning({ runId, queued: isQueued }, { title, baseUrl }, progress),
  };
}
