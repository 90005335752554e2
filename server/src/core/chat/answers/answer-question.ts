import type { Skill } from "@toolhost/contract";
import type { ChatBlock, ChatFieldProblem, ChatForm, ChatValues } from "../block.ts";
import { ChatError } from "../chat-error.ts";
import type { Trigger, OpenQuestion, PressedQuestion } from "../trigger.ts";
import { editMessage, reply } from "../turn.ts";
import type { Turn } from "../turn.ts";
import type { ChatContext } from "../context.ts";
import { ServiceError } from "#core/kernel";
import { findMissingCredentials } from "#core/runs";
import { findRunnableTool } from "#core/catalog";
import { newId } from "#lib/ids";
import { pointerParts } from "#lib/pointer";
import { allowAlways } from "./always-allow.ts";
import { askToConfirm } from "./ask-to-confirm.ts";
import { findIfThere, findTool, formOf } from "./find-tool.ts";
import { inputBlocks } from "./input-blocks.ts";
import { cut } from "./json.ts";
import { nothingFound, offerOne, offerOthers, runOrConfirm } from "./offer-tools.ts";
import { readForm } from "./read-form.ts";
import type { FilledForm } from "./read-form.ts";
import { isStillWaiting, replyMissing, runAndAnswer } from "./run-and-answer.ts";
import { placeholderFileIds } from "./placeholder-file-ids.ts";
import { stopKind, stopRun } from "./stop-run.ts";
import { readSubject } from "./subject.ts";
import type { ToolRequest } from "./subject.ts";
import { messages } from "./messages.ts";

/**
 * The form that a button opens; undefined for a button that is an answer itself, and for a tool that no longer
 * exists or has changed, which the answer reports.
 */
export async function formFor(
  context: ChatContext,
  { id: questionId, kind, subject, choice, caller }: PressedQuestion,
): Promise<ChatForm | undefined> {
  if (kind !== "offer" || choice !== "form") return undefined;
  const toolRequest = readSubject({ subject });
  const tool = await findIfThere(context, caller, toolRequest);
  // The form of another version may assign the same entries to other fields.
  if (tool === undefined || tool.version !== toolRequest.version) return undefined;
  const { fields, isPartial } = formOf(tool, toolRequest);
  const notes = [
    cut(tool.description, 600),
    tool.confirm ? messages.willConfirm : "",
    isPartial ? messages.partialForm : "",
  ].filter((note) => note !== "");
  return {
    questionId,
    title: tool.title,
    introduction: notes.join("\n"),
    submitLabel: messages.run,
    fields: fields.map(({ field }) => field),
  };
}

/** The problems of a form, found by the validator of runs, except for files, which are not uploaded yet. */
export async function checkForm(
  context: ChatContext,
  { subject, caller }: OpenQuestion,
  values: ChatValues,
): Promise<ChatFieldProblem[]> {
  const toolRequest = readSubject({ subject });
  const tool = await findIfThere(context, caller, toolRequest);
  if (tool === undefined || tool.version !== toolRequest.version) return [];
  const { filled, names } = fill(tool, toolRequest, values);
  if (filled.problems.length > 0) return [...filled.problems];
  const fileNames = [...Object.keys(filled.files), ...Object.keys(toolRequest.attached)];
  const [first] = names;
  const input = { ...filled.input, ...placeholderFileIds(tool, fileNames, newId) };
  const { inputSchema } = await findRunnableTool(context, caller, tool.name);
  const given = { value: input, text: JSON.stringify(input) };
  const { workspaceId } = caller;
  const { errors } = await context.validation.checkInput(workspaceId, inputSchema, given);
  return errors.flatMap(({ path, message }) => {
    const [name = "", ...within] = pointerParts(path);
    if (fileNames.includes(name)) return [];
    const location = within.length === 0 ? "" : `${within.join(" › ")}: `;
    // Problems without a field are shown at the first one.
    const at = names.includes(name) ? name : first;
    const words = names.includes(name) ? `${location}${message}` : `${path.slice(1)} ${message}`;
    return at === undefined ? [] : [{ name: at, message: sentence(words) }];
  });
}

/** The title of a question's tool that has changed since the person was asked. */
export async function changedTitle(
  context: ChatContext,
  { subject, caller }: OpenQuestion,
): Promise<string | undefined> {
  const toolRequest = readSubject({ subject });
  const tool = await findIfThere(context, caller, toolRequest);
  return tool === undefined || tool.version === toolRequest.version ? undefined : tool.title;
}

function fill(
  tool: Skill,
  toolRequest: ToolRequest,
  values: ChatValues,
): { filled: FilledForm; names: string[] } {
  const plan = formOf(tool, toolRequest);
  return { filled: readForm(plan, values), names: plan.fields.map(({ field }) => field.name) };
}

function sentence(words: string): string {
  const text = cut(words.trim(), 200);
  // Does not change the case of a nested field name.
  const start = text.includes(":") ? text.charAt(0) : text.charAt(0).toUpperCase();
  return `${start}${text.slice(1)}${/[.!?…]$/.test(text) ? "" : "."}`;
}

/** Whether the missing credentials of a tool are there now, or lack only an approval, of which the person hears then. */
export async function isReady(
  context: ChatContext,
  { kind, subject, caller }: OpenQuestion,
): Promise<boolean> {
  if (kind !== "again" || !caller.scopes.has("mcp:execute")) return false;
  try {
    const toolRequest = readSubject({ subject });
    const missing = await findMissingCredentials(context, caller, toolRequest.toolName);
    return !isStillWaiting(toolRequest, missing);
  } catch (error) {
    if (error instanceof ServiceError) return false;
    throw error;
  }
}

type Answered = Extract<Trigger, { kind: "answer" }>;

/**
 * Continues after a button or form. The subject of the question is stored here; only the choice or values come from
 * the client.
 */
export async function answerQuestion(
  context: ChatContext,
  turn: Turn,
  { question, messageId, response }: Answered,
): Promise<void> {
  if (question.kind === stopKind) return stopRun(context, turn, question);
  const toolRequest = readSubject(question);
  if (question.kind === "none") {
    replaceMessage(turn, messageId);
    return reply(context, turn, nothingFound(context, toolRequest.text));
  }
  const tool = await findTool(context, turn.caller, toolRequest);
  const given = { tool, toolRequest, messageId };
  if ("values" in response) return answerForm(context, turn, { ...given, response });
  const { choice } = response;
  if (question.kind === "confirm") return answerConfirm(context, turn, { ...given, choice });
  if (choice === "other") {
    replaceMessage(turn, messageId);
    return offerOthers(context, turn, toolRequest);
  }
  const isForm = choice === "form";
  if (choice !== "run" && choice !== "pick" && !isForm) return undefined;
  if (choice === "pick") {
    replaceMessage(turn, messageId);
    const current = { ...toolRequest, version: tool.version };
    return offerOne(context, turn, { tool, toolRequest: current, notes: [] });
  }
  if (isForm || tool.version !== toolRequest.version) return offerAgain(context, turn, given);
  return question.kind === "again"
    ? runAgain(context, turn, given)
    : runChosen(context, turn, given, messages.runPressed);
}

type Given = { tool: Skill; toolRequest: ToolRequest; messageId: string | null };

/** Runs a tool that waited for credentials, or says in its message that they are still missing. */
async function runAgain(context: ChatContext, turn: Turn, given: Given): Promise<void> {
  const { tool, toolRequest, messageId } = given;
  const missing = await findMissingCredentials(context, turn.caller, tool.name);
  if (!isStillWaiting(toolRequest, missing)) {
    return runChosen(context, turn, given, messages.continuing);
  }
  replaceMessage(turn, messageId);
  return replyMissing(context, turn, { tool, toolRequest, notes: [], missing, isUnchanged: true });
}

async function answerForm(
  context: ChatContext,
  turn: Turn,
  { tool, toolRequest, messageId, response }: Given & { response: { values: ChatValues } },
): Promise<void> {
  if (tool.version !== toolRequest.version) {
    return offerAgain(context, turn, { tool, toolRequest, messageId });
  }
  const { filled } = fill(tool, toolRequest, response.values);
  const attached = { ...toolRequest.attached, ...filled.files };
  // A tool that needs confirmation asks again with the submitted input.
  const now = { ...toolRequest, input: filled.input, attached };
  return runChosen(context, turn, { tool, toolRequest: now, messageId }, messages.submitted);
}

/** Runs a tool whose message then shows the input, or replaces the message with the confirmation. */
async function runChosen(
  context: ChatContext,
  turn: Turn,
  { tool, toolRequest, messageId }: Given,
  said: (title: string, name: string) => string,
): Promise<void> {
  // The tool may need a confirmation only since the credentials are there.
  if (tool.confirm && toolRequest.isConfirmed !== true) {
    replaceMessage(turn, messageId);
    return runOrConfirm(context, turn, { tool, toolRequest, notes: [] });
  }
  await close(context, turn, { tool, toolRequest, messageId }, said);
  return runAndAnswer(context, turn, { tool, toolRequest });
}

/** Offers a tool that has changed since it was offered; nothing that was entered for the older version is used. */
async function offerAgain(
  context: ChatContext,
  turn: Turn,
  { tool, toolRequest, messageId }: Given,
): Promise<void> {
  const current = { ...toolRequest, version: tool.version };
  replaceMessage(turn, messageId);
  return offerOne(context, turn, { tool, toolRequest: current, notes: [hasChanged(tool)] });
}

async function answerConfirm(
  context: ChatContext,
  turn: Turn,
  { tool, toolRequest, messageId, choice }: Given & { choice: string },
): Promise<void> {
  const isConfirmed = choice === "run" || choice === "always";
  const isSame = tool.version === toolRequest.version;
  const isAlways = choice === "always" && isSame && (await allowAlways(context, turn.caller, tool));
  const confirmed = isAlways ? messages.alwaysAllowed : messages.confirmed;
  const said = isConfirmed ? confirmed : () => messages.cancelled;
  if (isConfirmed && !isSame) return askAgain(context, turn, { tool, toolRequest, messageId });
  await close(context, turn, { tool, toolRequest, messageId }, said);
  const notes: ChatBlock[] = [{ kind: "text", text: messages.cancelled }];
  if (!isConfirmed) return messageId === null ? reply(context, turn, notes) : undefined;
  const now = { ...toolRequest, isConfirmed: true };
  return runAndAnswer(context, turn, { tool, toolRequest: now });
}

function askAgain(
  context: ChatContext,
  turn: Turn,
  { tool, toolRequest, messageId }: Given,
): Promise<void> {
  replaceMessage(turn, messageId);
  return askToConfirm(context, turn, { tool, toolRequest, notes: [hasChanged(tool)] });
}

function hasChanged({ title }: Skill): ChatBlock {
  return { kind: "text", text: messages.toolChanged(title) };
}

/** Lets the reply replace the message with the answered question. */
function replaceMessage(turn: Turn, messageId: string | null): void {
  turn.replyId ??= messageId ?? undefined;
}

/** Shows in the message of an answered question who answered it, and the input, without buttons. */
async function close(
  context: ChatContext,
  turn: Turn,
  { tool, toolRequest, messageId }: Given,
  said: (title: string, name: string) => string,
): Promise<void> {
  if (messageId === null) return;
  const text = said(tool.title, await nameOf(context, turn));
  const input = await inputBlocks(context, turn, { tool, toolRequest });
  await editMessage(context, turn, messageId, [{ kind: "text", text }, ...input]);
}

/** The person's name in the chat, since others read it too. */
async function nameOf({ log }: ChatContext, { transport, chatUserId }: Turn): Promise<string> {
  try {
    return (await transport.findProfile(chatUserId)).name;
  } catch (error) {
    if (!(error instanceof ChatError) || error.failure === "revoked") throw error;
    log.debug({ err: error }, "a name could not be read");
    return messages.you;
  }
}
