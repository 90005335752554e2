import type { Skill } from "@toolhost/contract";
import type { ChatBlock, ChatButton } from "../block.ts";
import { textOfBlocks } from "../block-text.ts";
import { askQuestion, reply } from "../turn.ts";
import type { Turn } from "../turn.ts";
import type { ChatContext } from "../context.ts";
import { mayAlwaysAllow } from "./always-allow.ts";
import { inputBlocks } from "./input-blocks.ts";
import { toQuestion } from "./subject.ts";
import type { ToolRequest } from "./subject.ts";
import { messages } from "./messages.ts";

/** Confirmed input is shown in full, so longer input cannot be run from a chat. */
const maxInputLength = 9_000;

type Asking = { tool: Skill; toolRequest: ToolRequest; notes?: readonly ChatBlock[] };

/** Asks the person to confirm a run. The input is stored here, and no client can change it. */
export async function askToConfirm(
  context: ChatContext,
  turn: Turn,
  { tool, toolRequest, notes = [] }: Asking,
): Promise<void> {
  const input = await inputBlocks(context, turn, { tool, toolRequest });
  const text = messages.confirmRun(tool.title);
  const content: ChatBlock[] = [...notes, { kind: "text", text }, ...input];
  if (isTooLong(turn, input, content)) return replyTooLong(context, turn, { tool, notes });
  const questionId = await askQuestion(
    context,
    turn,
    toQuestion("confirm", { ...toolRequest, version: tool.version }),
  );
  const always: ChatButton = { label: messages.alwaysAllow, questionId, choice: "always" };
  const isOffered = await mayAlwaysAllow(context, turn.caller, tool);
  await reply(context, turn, [
    ...content,
    {
      kind: "buttons",
      buttons: [
        { label: messages.run, style: "danger", questionId, choice: "run" },
        ...(isOffered ? [always] : []),
        { label: messages.cancel, questionId, choice: "cancel" },
      ],
    },
  ]);
}

/** Whether a message with an input cannot show it in full on the platform. */
export function isTooLong(
  { transport }: Turn,
  input: readonly ChatBlock[],
  content: readonly ChatBlock[],
): boolean {
  return textOfBlocks(input).length > maxInputLength || !transport.showsWhole(content);
}

/** Links to the page of the tool, because input that is not shown in full cannot be run from a chat. */
export async function replyTooLong(
  context: ChatContext,
  turn: Turn,
  { tool, notes = [] }: Pick<Asking, "tool" | "notes">,
): Promise<void> {
  const text = messages.inputTooLong(tool.title);
  await reply(context, turn, [
    ...notes,
    { kind: "text", text },
    { kind: "link", label: messages.openTool, url: tool.toolUrl },
  ]);
}
