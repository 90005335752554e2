import type { Skill } from "@toolhost/contract";
import type { ChatBlock, ChatFieldProblem, ChatForm, ChatValues } from "../block.ts";
import type { Trigger, OpenQuestion, PressedQuestion } from "../trigger.ts";
import { editMessage, reply } from "../turn.ts";
import type { Turn } from "../turn.ts";
import type { Caller } from "#core/kernel";
import type { ChatContext } from "../context.ts";
import { ServiceError } from "#core/kernel";
import { findMissingCredentials } from "#core/runs";
import { findRunnableTool } from "#core/catalog";
import { newId } from "#lib/ids";
import { askToConfirm, confirmedBlocks } from "./ask-to-confirm.ts";
import { findAsked, formOf } from "./find-asked.ts";
import { cut } from "./json.ts";
import { nothingFound, offerOne, offerOthers, runOrConfirm } from "./offer-tools.ts";
import { readForm } from "./read-form.ts";
import type { FilledForm } from "./read-form.ts";
import { runAndAnswer } from "./run-and-answer.ts";
import { placeholderFileIds } from "./placeholder-file-ids.ts";
import { readSubject } from "./subject.ts";
import type { Asked } from "./subject.ts";
import { messages } from "./messages.ts";

/**
 * The form that a button opens; undefined for a button that is an answer itself, and for a tool that no longer
 * exists, which the answer reports.
 */
export async function formFor(
  context: ChatContext,
  { id: questionId, kind, subject, choice, caller }: PressedQuestion,
): Promise<ChatForm | undefined> {
  if (kind !== "offer" || choice !== "form") return undefined;
  const asked = readSubject({ subject });
  const tool = await findIfThere(context, caller, asked);
  if (tool === undefined) return undefined;
  const { asked: fields, isPartial } = formOf(tool, asked);
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
  const asked = readSubject({ subject });
  const tool = await findIfThere(context, caller, asked);
  if (tool === undefined) return [];
  const { filled, names } = fill(tool, asked, values);
  if (filled.problems.length > 0) return [...filled.problems];
  const fileNames = [...Object.keys(filled.files), ...Object.keys(asked.attached)];
  const [first] = names;
  const input = { ...filled.input, ...placeholderFileIds(tool, fileNames, newId) };
  const { inputSchema } = await findRunnableTool(context, caller, tool.name);
  const given = { value: input, text: JSON.stringify(input) };
  const { workspaceId } = caller;
  const { errors } = await context.validation.checkInput(workspaceId, inputSchema, given);
  return errors.flatMap(({ path, message }) => {
    const [name = "", ...within] = path.split("/").slice(1).map(unescaped);
    if (fileNames.includes(name)) return [];
    const location = within.length === 0 ? "" : `${within.join(" › ")}: `;
    // Problems of no field are shown at the first.
    const at = names.includes(name) ? name : first;
    const words = names.includes(name) ? `${location}${message}` : `${path.slice(1)} ${message}`;
    return at === undefined ? [] : [{ name: at, message: sentence(words) }];
  });
}

async function findIfThere(
  context: ChatContext,
  caller: Caller,
  asked: Asked,
): Promise<Skill | undefined> {
  try {
    return await findAsked(context, caller, asked);
  } catch (error) {
    if (error instanceof ServiceError && error.code === "tool_not_found") return undefined;
    throw error;
  }
}

function fill(
  tool: Skill,
  asked: Asked,
  values: ChatValues,
): { filled: FilledForm; names: string[] } {
  const plan = formOf(tool, asked);
  return { filled: readForm(plan, values), names: plan.asked.map(({ field }) => field.name) };
}

function unescaped(step: string): string {
  return step.replaceAll("~1", "/").replaceAll("~0", "~");
}

function sentence(words: string): string {
  const text = cut(words.trim(), 200);
  // Keep the case of a nested field name.
  const start = text.includes(":") ? text.charAt(0) : text.charAt(0).toUpperCase();
  return `${start}${text.slice(1)}${/[.!?…]$/.test(text) ? "" : "."}`;
}

/** Whether the missing credentials of a tool are there now. */
export async function isReady(
  context: ChatContext,
  { kind, subject, caller }: OpenQuestion,
): Promise<boolean> {
  if (kind !== "again" || !caller.scopes.has("mcp:execute")) return false;
  try {
    const { toolName } = readSubject({ subject });
    return (await findMissingCredentials(context, caller, toolName)).length === 0;
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
  const asked = readSubject(question);
  if (question.kind === "none") {
    await close(context, turn, messageId, messages.rejectedAll);
    return reply(context, turn, nothingFound(context, asked.text));
  }
  const tool = await findAsked(context, turn.caller, asked);
  if ("values" in response) return answerForm(context, turn, { tool, asked, messageId, response });
  const { choice } = response;
  if (question.kind === "confirm") {
    return answerConfirm(context, turn, { tool, asked, messageId, isConfirmed: choice === "run" });
  }
  if (choice === "other") {
    await close(context, turn, messageId, messages.rejected(tool.title));
    return offerOthers(context, turn, asked);
  }
  if (choice !== "run" && choice !== "pick") return undefined;
  const current = { ...asked, version: tool.version };
  if (choice === "pick") {
    await close(context, turn, messageId, messages.picked(tool.title));
    return offerOne(context, turn, { tool, asked: current, notes: [] });
  }
  await close(context, turn, messageId, messages.runPressed(tool.title));
  if (tool.version !== asked.version) {
    return offerOne(context, turn, { tool, asked: current, notes: [hasChanged(tool)] });
  }
  // The input was confirmed before the credentials were found missing.
  if (question.kind === "again") return runAndAnswer(context, turn, { tool, asked });
  return runOrConfirm(context, turn, { tool, asked, notes: [] });
}

type Given = { tool: Skill; asked: Asked; messageId: string | null };

async function answerForm(
  context: ChatContext,
  turn: Turn,
  { tool, asked, messageId, response }: Given & { response: { values: ChatValues } },
): Promise<void> {
  const { filled } = fill(tool, asked, response.values);
  await close(context, turn, messageId, messages.submitted(tool.title));
  const attached = { ...asked.attached, ...filled.files };
  // A tool that needs confirmation asks again with the submitted input.
  const now = { ...asked, input: filled.input, attached };
  return runOrConfirm(context, turn, { tool, asked: now, notes: [] });
}

async function answerConfirm(
  context: ChatContext,
  turn: Turn,
  { tool, asked, messageId, isConfirmed }: Given & { isConfirmed: boolean },
): Promise<void> {
  const said = isConfirmed ? messages.confirmed(tool.title) : messages.cancelled;
  const notes = [{ kind: "text" as const, text: said }];
  const blocks = await confirmedBlocks(context, turn, { tool, asked, notes });
  if (messageId !== null) await editMessage(context, turn, messageId, blocks);
  if (!isConfirmed) return messageId === null ? reply(context, turn, notes) : undefined;
  if (tool.version === asked.version) return runAndAnswer(context, turn, { tool, asked });
  return askToConfirm(context, turn, { tool, asked, notes: [hasChanged(tool)] });
}

function hasChanged({ title }: Skill): ChatBlock {
  return { kind: "text", text: messages.toolChanged(title) };
}

/** Removes the buttons of an answered question. */
async function close(
  context: ChatContext,
  turn: Turn,
  messageId: string | null,
  text: string,
): Promise<void> {
  if (messageId !== null) await editMessage(context, turn, messageId, [{ kind: "text", text }]);
}
