import type { Run } from "@toolhost/contract";
import { unmaskLinks } from "../unmask-links.ts";
import type { ChatBlock } from "../block.ts";
import { startedRuns } from "../run-once.ts";
import { notifyOnCompletion, readTurnHistory, reply } from "../turn.ts";
import type { Turn } from "../turn.ts";
import type { ChatContext } from "../context.ts";
import { createAgentTools } from "./agent-tools.ts";
import type { AgentWork } from "./agent-tools.ts";
import { askModel, maxSteps } from "./ask-model.ts";
import type { Request } from "./ask-model.ts";
import { askToConfirm } from "./ask-to-confirm.ts";
import { feedbackBlocks } from "./feedback.ts";
import { describeTool } from "./find-tool.ts";
import { cut } from "./json.ts";
import type { ChatModel } from "./model.ts";
import { messages } from "./messages.ts";
import { threadMessage } from "./prompt.ts";
import { outcomeOf, replyMissing } from "./run-and-answer.ts";
import { askToStop } from "./stop-run.ts";
import { restoreAnswer, storeAnswer } from "./stored-answer.ts";
import type { ModelAnswer } from "./stored-answer.ts";
import { runLink, showRun, showRunning } from "./run-blocks.ts";
import { sendFiles } from "./run-files.ts";

const maxAnswer = 2_800;

/**
 * Answers with a language model that finds and runs tools. False when the model failed before it ran or said anything,
 * so that the request can be answered without it.
 */
export async function answerByModel(
  context: ChatContext,
  turn: Turn,
  { model, request }: { model: () => Promise<ChatModel>; request: Request },
): Promise<boolean> {
  const started = await startedRuns(context, turn);
  const restored = await restoreAnswer(context, turn);
  if (restored !== undefined || started.length > 0) {
    await postStartedRuns(context, turn, started, restored);
    return true;
  }
  const { work, tools } = createAgentTools(context, turn, request);
  const history = threadMessage(await readTurnHistory(context, turn), turn);
  const said = await askModel(context, turn, { model, request, history, work, tools });
  if (work.fault !== undefined) throw work.fault;
  turn.signal.throwIfAborted();
  const isEmpty = said.text === "" && work.pause === undefined && work.runs.length === 0;
  if (said.end === "failed" && isEmpty) return false;
  await storeAnswer(context, turn, { said, pause: work.pause });
  await postAnswer(context, turn, work, said);
  return true;
}

/**
 * Posts the stored answer of an earlier attempt. Without one its runs are reported and nothing more is run, because a
 * second attempt of the model may choose other tools.
 */
async function postStartedRuns(
  context: ChatContext,
  turn: Turn,
  started: readonly Run[],
  { said, pause: stored }: Restored = { said: { text: "", end: "interrupted" }, pause: undefined },
): Promise<void> {
  const runs = [];
  for (const result of started) {
    runs.push({ tool: await describeTool(context, turn.caller, result.toolName), result });
  }
  const isRunning = runs.some(({ result }) => result.status === "running");
  const pause = stored ?? (isRunning ? ({ kind: "running" } as const) : undefined);
  await postAnswer(context, turn, { runs, pause, fault: undefined }, said);
}

type Restored = { said: ModelAnswer; pause: AgentWork["pause"] };

const endNotes: Record<ModelAnswer["end"], string> = {
  answer: "",
  steps: messages.tooManySteps(maxSteps),
  tokens: messages.tooManyTokens,
  interrupted: messages.interrupted,
  failed: messages.modelStopped,
};

/** Posts one answer: the text of the model, its runs, and what the person has to do. */
async function postAnswer(
  context: ChatContext,
  turn: Turn,
  work: AgentWork,
  said: ModelAnswer,
): Promise<void> {
  const { pause, runs } = work;
  const { baseUrl } = context.config;
  const done = runs.filter(({ result }) => result.status !== "running");
  if (pause?.kind === "confirm") {
    const notes = done.map(({ tool }) => ({
      kind: "text" as const,
      text: messages.hasRun(tool.title),
    }));
    return askToConfirm(context, turn, { ...pause, notes });
  }
  if (pause?.kind === "missing") return replyMissing(context, turn, { ...pause, notes: [] });
  if (pause?.kind === "running") {
    const running = runs.filter(({ result }) => result.status === "running");
    const blocks: ChatBlock[] = [];
    for (const { tool, result } of running) {
      const stopId = await askToStop(context, turn, result.runId);
      blocks.push(...showRunning(result, { title: tool.title, baseUrl, stopId }));
    }
    await reply(context, turn, blocks);
    turn.outcome = "running";
    for (const { result } of running) await notifyOnCompletion(context, turn, result.runId);
    return undefined;
  }
  const shown = done.map(({ tool: { title, outputSchema }, result }) => ({
    runId: result.runId,
    status: result.status,
    ...showRun(result, { title, outputSchema, baseUrl }),
  }));
  const last = shown.at(-1);
  turn.outcome = last === undefined ? undefined : outcomeOf(last);
  const rating = last === undefined ? [] : await feedbackBlocks(context, turn, last);
  const blocks = [...toBlocks(said, shown, baseUrl), ...rating];
  await reply(context, turn, blocks);
  for (const { runId, files } of shown) await sendFiles(context, turn, { runId, files, blocks });
  return undefined;
}

type ShownRun = ReturnType<typeof showRun> & Pick<Run, "runId" | "status">;

/** The text of the model, and the last output as the tool returned it, so that no one has to trust the summary. */
function toBlocks(said: ModelAnswer, shown: readonly ShownRun[], baseUrl: string): ChatBlock[] {
  const words: ChatBlock[] =
    said.text === "" ? [] : [{ kind: "markdown", text: cut(unmaskLinks(said.text), maxAnswer) }];
  const isBrokenOff = said.end === "failed" && shown.length === 0;
  const end = isBrokenOff ? messages.modelBrokeOff : endNotes[said.end];
  const note: ChatBlock[] = end === "" ? [] : [{ kind: "text", text: end }];
  const last = shown.findLast(({ status }) => status === "completed") ?? shown.at(-1);
  const others = shown
    .filter((one) => one !== last)
    .slice(-3)
    .map(({ runId }) => runLink(baseUrl, runId));
  const blocks = [...words, ...note, ...(last?.blocks ?? []), ...others];
  if (blocks.length > 0) return blocks;
  return [{ kind: "text", text: messages.noAnswer }];
}
