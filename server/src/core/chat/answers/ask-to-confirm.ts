import type { Skill } from "@toolhost/contract";
import type { ChatBlock, ChatButton } from "../block.ts";
import { textOfBlocks } from "../block-text.ts";
import { askQuestion, reply } from "../turn.ts";
import type { Turn } from "../turn.ts";
import type { ChatContext } from "../context.ts";
import { findRunnableTool } from "#core/catalog";
import { mayAlwaysAllow } from "./always-allow.ts";
import { plainJson } from "./json.ts";
import { toQuestion } from "./subject.ts";
import type { ToolRequest } from "./subject.ts";
import { messages } from "./messages.ts";

/** Confirmed input is shown in full, so longer input cannot be run from a chat. */
const maxInputLength = 9_000;
/** Within the text limit of every platform. */
const pieceLength = 2_500;

type Asking = { tool: Skill; toolRequest: ToolRequest; notes?: readonly ChatBlock[] };

/** Asks the person to confirm a run. The input is stored here, and no client can change it. */
export async function askToConfirm(
  context: ChatContext,
  turn: Turn,
  { tool, toolRequest, notes = [] }: Asking,
): Promise<void> {
  const input = inputBlocks(toolRequest, await shownInput(context, turn, toolRequest));
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

/** The message without buttons, once it is answered. */
export async function confirmedBlocks(
  context: ChatContext,
  turn: Turn,
  { tool, toolRequest, notes = [] }: Asking,
): Promise<ChatBlock[]> {
  return [
    ...notes,
    ...inputBlocks(
      toolRequest,
      await shownInput(context, turn, { ...toolRequest, toolName: tool.name }),
    ),
  ];
}

/** The input as the run record shows it, without values that the schema marks as secret. */
export async function shownInput(
  context: ChatContext,
  { caller }: Turn,
  { toolName, input }: ToolRequest,
): Promise<string> {
  const { inputSchema } = await findRunnableTool(context, caller, toolName);
  const given = { value: input, text: JSON.stringify(input) };
  const { workspaceId } = caller;
  const { shown } = await context.validation.checkInput(workspaceId, inputSchema, given);
  return plainJson(shown);
}

/** The input for a person to check: its fields as JSON, and the names of its files. */
export function inputBlocks({ attached }: ToolRequest, shown: string): ChatBlock[] {
  const code = piecesOf(shown).map((text): ChatBlock => ({ kind: "code", text }));
  const fields = Object.entries(attached).flatMap(([label, list]) =>
    piecesOf(list.map(({ name }) => name).join(", ")).map((value) => ({ label, value })),
  );
  return fields.length === 0 ? code : [...code, { kind: "fields", fields }];
}

function piecesOf(text: string): string[] {
  const count = Math.ceil(text.length / pieceLength);
  return Array.from({ length: count }, (_, index) =>
    text.slice(index * pieceLength, (index + 1) * pieceLength),
  );
}
