import type { Skill, ToolMatch } from "@toolhost/contract";
import { requireScope } from "#core/identity";
import type { ChatBlock, ChatButton, ChatFile } from "../block.ts";
import { askQuestion, reply } from "../turn.ts";
import type { Turn } from "../turn.ts";
import type { ChatContext } from "../context.ts";
import { searchTools } from "#core/catalog";
import { ServiceError } from "#core/kernel";
import type { Caller } from "#core/kernel";
import { askToConfirm, isTooLong, replyTooLong } from "./ask-to-confirm.ts";
import { attach, findTool, formOf, isComplete } from "./find-tool.ts";
import { checkInput } from "./check-input.ts";
import { completeOffer, endOffer } from "./complete-offer.ts";
import type { Completed } from "./complete-offer.ts";
import { inputBlocks } from "./input-blocks.ts";
import { cut } from "./json.ts";
import { maxOffered, pickTool } from "./pick-tool.ts";
import { prefill } from "./prefill.ts";
import { replyWrongInput, runAndAnswer } from "./run-and-answer.ts";
import { maxTextLength, toQuestion } from "./subject.ts";
import type { ToolRequest } from "./subject.ts";
import { messages } from "./messages.ts";

type Request = {
  text: string;
  files: readonly ChatFile[];
  /** Shown first. */
  note?: string;
};

/**
 * Answers a request by keyword search: offers the tool that clearly matches, or the best few, with the values that are
 * certain. Nothing runs before a user presses Run, because keywords do not reveal intent ("do NOT send the invoices",
 * "who forgot to send the invoices?").
 */
export async function offerTools(
  context: ChatContext,
  turn: Turn,
  request: Request,
): Promise<void> {
  const { text, files, note } = request;
  requireScope(turn.caller, "mcp:execute");
  const said = text.trim().slice(0, maxTextLength);
  const matches = said === "" ? [] : await findMatches(context, turn.caller, said);
  const picked = pickTool(matches);
  const notes: ChatBlock[] = note === undefined ? [] : [{ kind: "text", text: note }];
  const completed = await completeOffer(context, turn, { text: said, files });
  if (completed !== undefined && (await isForOffer(context, turn, completed, picked))) {
    await offerOne(context, turn, { ...completed, notes, isGuess: true });
    return endOffer(context, turn, completed);
  }
  if (matches.length === 0) return reply(context, turn, [...notes, ...nothingFound(context, said)]);
  if (picked === undefined)
    return offerSeveral(context, turn, { matches, text: said, files, notes });
  const tool = await findTool(context, turn.caller, { toolName: picked.name });
  return offerOne(context, turn, {
    tool,
    toolRequest: toToolRequest(tool, { text: said, files }),
    notes,
    isGuess: true,
  });
}

/** Whether a message belongs to the offer that it would complete, and not to another tool. */
async function isForOffer(
  context: ChatContext,
  { caller }: Turn,
  { tool, toolRequest }: Completed,
  picked: ToolMatch | undefined,
): Promise<boolean> {
  if (picked === undefined || picked.name === tool.name) return true;
  // A fragment such as "to km" may match another tool by itself.
  return pickTool(await findMatches(context, caller, toolRequest.text))?.name === tool.name;
}

/** Runs a tool that a person chose, or asks for confirmation first. */
export function runOrConfirm(context: ChatContext, turn: Turn, offer: Offer): Promise<void> {
  return offer.tool.confirm
    ? confirmIfValid(context, turn, offer)
    : runAndAnswer(context, turn, offer);
}

/** Asks to confirm a run that can start, or replies with the problems of its input. */
async function confirmIfValid(context: ChatContext, turn: Turn, offer: Offer): Promise<void> {
  try {
    await checkInput(context, turn, offer.tool, offer.toolRequest);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== "invalid_input") throw error;
    return replyWrongInput(context, turn, { ...offer, error });
  }
  return askToConfirm(context, turn, offer);
}

/** Offers other tools after one was rejected. */
export async function offerOthers(
  context: ChatContext,
  turn: Turn,
  { toolName, text, attached }: ToolRequest,
): Promise<void> {
  const matches = (await findMatches(context, turn.caller, text)).filter(
    ({ name }) => name !== toolName,
  );
  const files = Object.values(attached).flat();
  if (matches.length === 0) return reply(context, turn, nothingFound(context, text));
  return offerSeveral(context, turn, { matches, text, files, notes: [] });
}

/** The message when no tool matches. */
export function nothingFound({ config }: ChatContext, text: string): ChatBlock[] {
  const words = text === "" ? messages.whatToDo : messages.noToolFound;
  return [
    { kind: "text", text: words },
    { kind: "link", label: messages.browseTools, url: `${config.baseUrl}/catalog` },
  ];
}

/** The tools that a text matches, best first. */
export async function findMatches(
  context: ChatContext,
  caller: Caller,
  text: string,
): Promise<ToolMatch[]> {
  requireScope(caller, "mcp:read");
  const { results } = await searchTools(context, caller, [text], { limit: maxOffered + 1 });
  return results[0]?.matches ?? [];
}

/** A request for a tool, with the values that are certain. */
export function toToolRequest(
  tool: Skill,
  { text, files }: { text: string; files: readonly ChatFile[] },
): ToolRequest {
  const { name: toolName, version } = tool;
  return { toolName, version, input: prefill(tool, text), attached: attach(tool, files), text };
}

type Offer = {
  tool: Skill;
  toolRequest: ToolRequest;
  notes: readonly ChatBlock[];
  /** Whether keywords found the tool, so that the person has not chosen it yet. */
  isGuess?: boolean;
};

/** Offers one tool with its input, buttons to run or complete it, and one to reject it. */
export async function offerOne(context: ChatContext, turn: Turn, offer: Offer): Promise<void> {
  const { tool, toolRequest, notes, isGuess = false } = offer;
  if (tool.confirm && !isGuess && isComplete(tool, toolRequest))
    return confirmIfValid(context, turn, offer);
  const input = await inputBlocks(context, turn, offer);
  const text = messages.tool(tool.title, cut(firstSentence(tool.description), 300));
  const content: ChatBlock[] = [
    ...notes,
    { kind: "text", text },
    ...input,
    ...neededBlocks(tool, toolRequest),
  ];
  if (isTooLong(turn, input, content)) return replyTooLong(context, turn, offer);
  const questionId = await askQuestion(context, turn, toQuestion("offer", toolRequest));
  await reply(context, turn, [
    ...content,
    {
      kind: "buttons",
      buttons: [
        ...runButtons(tool, toolRequest, questionId),
        { label: messages.notThisOne, questionId, choice: "other" },
      ],
    },
  ]);
}

/** Names the required fields without a value. */
function neededBlocks(tool: Skill, toolRequest: ToolRequest): ChatBlock[] {
  const labels = formOf(tool, toolRequest)
    .fields.filter(({ field: { isRequired, name } }) => {
      return isRequired && !Object.hasOwn(toolRequest.input, name);
    })
    .map(({ field: { label } }) => label);
  return labels.length === 0
    ? []
    : [{ kind: "text", text: cut(messages.stillNeeded(labels), 300) }];
}

/** A tool with complete input can run immediately; the form adds optional input. */
function runButtons(tool: Skill, toolRequest: ToolRequest, questionId: string): ChatButton[] {
  const enter: ChatButton = { label: messages.enterDetails, questionId, choice: "form" };
  if (!isComplete(tool, toolRequest)) return [{ ...enter, style: "primary" }];
  const run: ChatButton = { label: messages.run, style: "primary", questionId, choice: "run" };
  const isEmpty = Object.keys(fieldsOf(tool)).every((name) =>
    Object.hasOwn(toolRequest.attached, name),
  );
  return isEmpty ? [run] : [run, enter];
}

function fieldsOf({ inputSchema: { properties } }: Skill): object {
  return typeof properties === "object" && properties !== null ? properties : {};
}

type Several = {
  matches: readonly ToolMatch[];
  text: string;
  files: readonly ChatFile[];
  notes: readonly ChatBlock[];
};

async function offerSeveral(
  context: ChatContext,
  turn: Turn,
  { matches, text, files, notes }: Several,
): Promise<void> {
  const lines: string[] = [];
  const buttons: ChatButton[] = [];
  let last: ToolRequest | undefined;
  for (const { name } of matches.slice(0, maxOffered)) {
    const tool = await findTool(context, turn.caller, { toolName: name });
    const toolRequest = toToolRequest(tool, { text, files });
    const questionId = await askQuestion(context, turn, toQuestion("offer", toolRequest));
    // The press selects the tool; its input is shown before it runs.
    const choice = isComplete(tool, toolRequest) ? "pick" : "form";
    lines.push(`• ${messages.tool(tool.title, cut(firstSentence(tool.description), 200))}`);
    buttons.push({ label: cut(tool.title, 70), questionId, choice });
    last = toolRequest;
  }
  if (last === undefined) return;
  const none = await askQuestion(context, turn, toQuestion("none", last));
  buttons.push({ label: messages.noneOfThese, questionId: none, choice: "none" });
  await reply(context, turn, [
    ...notes,
    {
      kind: "text",
      text: lines.length === 1 ? messages.isItThis(lines) : messages.whichTool(lines),
    },
    { kind: "buttons", buttons },
  ]);
}

/** The first sentence of a description. */
export function firstSentence(text: string): string {
  const line = text.split("\n")[0] ?? "";
  return /^.*?[.!?](?=\s|$)/.exec(line)?.[0] ?? line;
}
