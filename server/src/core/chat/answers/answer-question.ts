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
 * The form that a press of a button asks for; undefined for one that is an answer by itself, and for a tool that is
 * gone: then the answer says so.
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

/** What is wrong with a form, by the same validator as the run's, as far as it can be said before files are here. */
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
    // What concerns no field of the form is told at its first.
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
  // The name of a field within stays as it is.
  const start = text.includes(":") ? text.charAt(0) : text.charAt(0).toUpperCase();
  return `${start}${text.slice(1)}${/[.!?…]$/.test(text) ? "" : "."}`;
}

/** Whether a tool that was asked for has the credentials by now that it lacked. */
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

/** Goes on after a button or a form. The question's subject is ours; of the client's answer only the choice counts. */
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
  // It was confirmed before its credentials were found to be missing.
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
  // What asks to be confirmed is asked for again, with what was filled in.
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

/** Takes the buttons off a message whose question was answered. */
async function close(
  context: ChatContext,
  turn: Turn,
  messageId: string | null,
  text: string,
): Promise<void> {
  if (messageId !== null) await editMessage(context, turn, messageId, [{ kind: "text", text }]);
}
