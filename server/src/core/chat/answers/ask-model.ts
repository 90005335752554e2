import type { StopCondition, ToolSet } from "ai";
import type { ChatFile } from "../block.ts";
import type { ChatContext } from "../context.ts";
import { createLiveWords } from "../live-words.ts";
import type { LiveWords } from "../live-words.ts";
import type { Turn } from "../turn.ts";
import type { AgentTool, AgentWork } from "./agent-tools.ts";
import { messages } from "./messages.ts";
import type { ChatModel } from "./model.ts";
import { instructions, requestMessage } from "./prompt.ts";
import type { ModelAnswer } from "./stored-answer.ts";

export const maxSteps = 8;
const maxStepTokens = 2_000;
/** The limit of all model steps together, below the limit of a turn. */
const modelMs = 120_000;

/** `files` starts with those of the message itself. */
export type Request = { text: string; files: readonly ChatFile[]; ownCount: number };

type Asking = {
  model: () => Promise<ChatModel>;
  request: Request;
  history: string | undefined;
  work: AgentWork;
  tools: readonly AgentTool[];
};

/** Asks the language model, which runs tools, and shows its words as they arrive. */
export async function askModel(
  context: ChatContext,
  turn: Turn,
  asking: Asking,
): Promise<ModelAnswer> {
  turn.status.show(messages.thinking);
  const live = createLiveWords(context, turn);
  try {
    return await readAnswer(context, await openAnswer(context, turn, asking), live);
  } catch (error) {
    logModelFailure(context, error);
    await live.close();
    return { text: live.shown(), end: "failed" };
  } finally {
    await live.close();
  }
}

type Answer = ReturnType<ChatModel["sdk"]["streamText"]>;

async function openAnswer(
  context: ChatContext,
  turn: Turn,
  { model: open, request, history, work, tools }: Asking,
): Promise<Answer> {
  const { sdk, model } = await open();
  const maxTokens = context.config.CHAT_MODEL_MAX_TOKENS;
  const isSpent: StopCondition<ToolSet> = ({ steps }) => tokensOf(steps) >= maxTokens;
  return sdk.streamText({
    model,
    instructions,
    messages: [history, requestMessage(request)]
      .filter((content) => content !== undefined)
      .map((content) => ({ role: "user" as const, content })),
    tools: toSdkTools(sdk, tools),
    stopWhen: [
      sdk.isStepCount(maxSteps),
      isSpent,
      () => work.pause !== undefined || work.fault !== undefined,
    ],
    maxRetries: 1,
    maxOutputTokens: maxStepTokens,
    abortSignal: turn.signal,
    timeout: { totalMs: modelMs },
    telemetry: { isEnabled: false },
    // Errors are parts of the stream as well. The SDK would write them to the console.
    onError: () => undefined,
  });
}

/** The words of the last step, and why the model ended. Throws the error of the model. */
async function readAnswer(
  { config }: ChatContext,
  { stream }: Answer,
  live: LiveWords,
): Promise<ModelAnswer> {
  let text = "";
  let tokens = 0;
  let reason = "";
  for await (const part of stream) {
    if (part.type === "error") throw part.error;
    if (part.type === "abort") throw new Error("The model took too long, or the turn was aborted");
    if (part.type === "start-step") {
      text = "";
      live.startParagraph();
    }
    if (part.type === "text-delta") {
      text += part.text;
      live.add(part.text);
    }
    if (part.type === "finish-step") {
      tokens += part.usage.totalTokens ?? 0;
      reason = part.finishReason;
    }
  }
  if (reason === "") throw new Error("The model ended without an answer");
  if (reason !== "tool-calls") return { text: text.trim(), end: "answer" };
  return { text: text.trim(), end: tokens >= config.CHAT_MODEL_MAX_TOKENS ? "tokens" : "steps" };
}

function toSdkTools(sdk: ChatModel["sdk"], tools: readonly AgentTool[]): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, inputSchema, ...tool }) => [
      name,
      sdk.tool({
        description,
        inputSchema: sdk.jsonSchema(inputSchema as Parameters<typeof sdk.jsonSchema>[0]),
        // The broker explains invalid arguments better than a schema does.
        execute: (args) => tool.call(args),
      }),
    ]),
  );
}

function tokensOf(steps: readonly { usage: { totalTokens: number | undefined } }[]): number {
  return steps.reduce((sum, { usage }) => sum + (usage.totalTokens ?? 0), 0);
}

/** The errors of the SDK contain prompts and responses, so only their kind and status are logged. */
function logModelFailure({ log }: ChatContext, error: unknown): void {
  const kind = error instanceof Error ? error.name : "unknown";
  const status =
    typeof error === "object" && error !== null && "statusCode" in error
      ? Number(error.statusCode)
      : undefined;
  log.warn({ kind, status }, "the language model did not respond");
}
