import { jsonObject } from "@toolhost/contract";
import type { JsonObject } from "@toolhost/contract";
import { requireScope } from "#core/identity";
import type { ChatFile } from "../block.ts";
import { reply } from "../turn.ts";
import type { Turn } from "../turn.ts";
import type { ChatContext } from "../context.ts";
import { attach, findTool, isComplete } from "./find-tool.ts";
import { offerOne, runOrConfirm } from "./offer-tools.ts";
import { messages } from "./messages.ts";

const pattern = /^run\s+([a-z0-9_]{1,64})\s*(\{[\s\S]*\})?$/i;

type Request = {
  text: string;
  files: readonly ChatFile[];
  /** Whether the tool may run without a press of Run, as with a language model. */
  mayRun: boolean;
};

/** Whether a message is a command such as `run add_numbers_k3x9 {"a": 1, "b": 2}`. */
export function isCommand(text: string): boolean {
  return pattern.test(text.trim());
}

/** Offers or runs the tool that a command names, with exactly the input that it gives. */
export async function answerCommand(
  context: ChatContext,
  turn: Turn,
  { text, files, mayRun }: Request,
): Promise<void> {
  requireScope(turn.caller, "mcp:execute");
  const [, name = "", json] = pattern.exec(text.trim()) ?? [];
  const tool = await findTool(context, turn.caller, { toolName: name.toLowerCase() });
  const input = json === undefined ? {} : readInput(json);
  if (input === undefined) {
    return reply(context, turn, [{ kind: "text", text: messages.invalidCommandInput }]);
  }
  const attached = attach(tool, files);
  const toolRequest = { toolName: tool.name, version: tool.version, input, attached, text };
  const offer = { tool, toolRequest, notes: [] };
  const isReady = json !== undefined || isComplete(tool, toolRequest);
  return mayRun && isReady ? runOrConfirm(context, turn, offer) : offerOne(context, turn, offer);
}

function readInput(json: string): JsonObject | undefined {
  try {
    const parsed = jsonObject.safeParse(JSON.parse(json));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}
