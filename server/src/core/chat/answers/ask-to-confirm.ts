import type { Skill } from "@toolhost/contract";
import type { ChatBlock } from "../block.ts";
import { askQuestion, reply } from "../turn.ts";
import type { Turn } from "../turn.ts";
import type { ChatContext } from "../context.ts";
import { findRunnableTool } from "#core/catalog";
import { plainJson } from "./json.ts";
import { toQuestion } from "./subject.ts";
import type { Asked } from "./subject.ts";
import { messages } from "./messages.ts";

/** What is confirmed is shown in full, so what is longer is not run from a chat. */
export const maxInputLength = 9_000;
/** So long that no platform has to cut it. */
const pieceLength = 2_500;

type Asking = { tool: Skill; asked: Asked; notes?: readonly ChatBlock[] };

/** Asks the person before a tool runs. What will run is kept here, and no client can change it. */
export async function askToConfirm(
  context: ChatContext,
  turn: Turn,
  { tool, asked, notes = [] }: Asking,
): Promise<void> {
  const shown = await shownInput(context, turn, asked);
  if (shown.length > maxInputLength) return replyTooLong(context, turn, { tool, notes });
  const questionId = await askQuestion(
    context,
    turn,
    toQuestion("confirm", { ...asked, version: tool.version }),
  );
  await reply(context, turn, [
    ...notes,
    { kind: "text", text: messages.confirmRun(tool.title) },
    ...inputBlocks(asked, shown),
    {
      kind: "buttons",
      buttons: [
        { label: messages.run, style: "danger", questionId, choice: "run" },
        { label: messages.cancel, questionId, choice: "cancel" },
      ],
    },
  ]);
}

/** Leads to the tool's page, as nothing runs from a chat that was not shown there in full. */
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

/** The same message once it was answered. */
export async function confirmedBlocks(
  context: ChatContext,
  turn: Turn,
  { tool, asked, notes = [] }: Asking,
): Promise<ChatBlock[]> {
  return [
    ...notes,
    ...inputBlocks(asked, await shownInput(context, turn, { ...asked, toolName: tool.name })),
  ];
}

/** As the run's record shows it: without what the tool's schema marks as secret. */
export async function shownInput(
  context: ChatContext,
  { caller }: Turn,
  { toolName, input }: Asked,
): Promise<string> {
  const { inputSchema } = await findRunnableTool(context, caller, toolName);
  const given = { value: input, text: JSON.stringify(input) };
  const { workspaceId } = caller;
  const { shown } = await context.validation.checkInput(workspaceId, inputSchema, given);
  return plainJson(shown);
}

/** An input as people judge it: its fields as JSON, and the names of its files. */
export function inputBlocks({ attached }: Asked, shown: string): ChatBlock[] {
  const files = Object.entries(attached).map(([field, list]) => ({
    label: field,
    value: list
      .map(({ name }) => name)
      .join(", ")
      .slice(0, 500),
  }));
  const pieces: ChatBlock[] = [];
  for (let at = 0; at < shown.length; at += pieceLength) {
    pieces.push({ kind: "code", text: shown.slice(at, at + pieceLength) });
  }
  return files.length === 0 ? pieces : [...pieces, { kind: "fields", fields: files }];
}
