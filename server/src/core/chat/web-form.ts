import { createFile, mimeTypeOf } from "#core/files";
import type { Spooled } from "#core/files";
import { ServiceError } from "#core/kernel";
import type { Caller } from "#core/kernel";
import type { Visit } from "#core/oauth-client";
import type { ChatQuestionTable } from "#db";
import { checkForm, formFor } from "./answers/answer-question.ts";
import { plainType } from "./answers/run-files.ts";
import type { ChatFieldProblem, ChatFile, ChatForm, ChatValues } from "./block.ts";
import type { ChatContext } from "./context.ts";
import { readFormLink } from "./form-link.ts";
import type { FormLink } from "./form-link.ts";
import { answered, findQuestionRow, openFor, whyNoForm } from "./interact.ts";
import { answer } from "./take-answer.ts";
import type { Found, Refusal } from "./interact.ts";
import { findLink } from "./link-store.ts";
import { enterTeam } from "./links.ts";
import { messages } from "./messages.ts";
import type { OpenQuestion } from "./trigger.ts";

/** A form of the chat, as a page for the person who was asked. */
export type WebForm = { form: ChatForm; caller: Caller; teamName: string };

/** A file that was sent with a form and is not stored yet. */
export type WebFormUpload = { field: string; name: string; mimeType: string; spooled: Spooled };

/**
 * Opens the form of a link. Throws `not_found` for a link that is invalid or has expired, `unauthenticated`, and
 * `forbidden` for a person who is not linked to the chat user who was asked.
 */
export async function openWebForm(
  context: ChatContext,
  visit: Visit,
  token: string,
): Promise<WebForm | Refusal> {
  const opened = await open(context, visit, token);
  if ("reason" in opened) return opened;
  const { found, form, question } = opened;
  return { form, caller: question.caller, teamName: found.connection.team_name };
}

type Submitted = {
  token: string;
  /** The person to whom the page was shown. */
  personId: string;
  values: ChatValues;
  uploads: readonly WebFormUpload[];
};

/**
 * Answers the question of a link like a form that the platform shows: the answer is in the inbox once this returns, or
 * the problems are returned. Throws what {@link openWebForm} throws, and what storing a file throws.
 */
export async function submitWebForm(
  context: ChatContext,
  visit: Visit,
  { token, personId, values, uploads }: Submitted,
): Promise<{ kind: "taken" } | { kind: "wrong"; problems: readonly ChatFieldProblem[] } | Refusal> {
  const opened = await open(context, visit, token);
  if ("reason" in opened) return opened;
  const { found, row, link, question } = opened;
  if (question.caller.userId !== personId) {
    throw new ServiceError("forbidden", messages.otherUserSignedIn);
  }
  const checked = withFiles(values, uploads.map(toChatFile));
  const problems = await checkForm(context, question, checked);
  if (problems.length > 0) return { kind: "wrong", problems };
  const stored: [string, ChatFile][] = [];
  for (const upload of uploads) stored.push(await store(context, question, upload));
  const isFirst = await answer(context, found.connection, row, {
    isExternal: link.isExternal,
    response: { values: withFiles(values, stored) },
  });
  return isFirst ? { kind: "taken" } : answered;
}

type Opened = {
  found: Found;
  row: ChatQuestionTable;
  link: FormLink;
  question: OpenQuestion;
  form: ChatForm;
};

async function open(context: ChatContext, visit: Visit, token: string): Promise<Opened | Refusal> {
  const link = readFormLink(context, token);
  if (link === undefined || !context.chat.platforms.has(link.platform))
    throw new ServiceError("not_found", messages.formLinkInvalid);
  const found = await findQuestionRow(context, link.platform, link);
  if (found?.row === undefined) throw new ServiceError("not_found", messages.formLinkInvalid);
  const { connection, row } = found;
  const person = await enterTeam(context, visit, connection.workspace_id);
  const chatLink = await findLink(context.db, connection.id, row.chat_user_id);
  if (chatLink?.user_id !== person.userId) {
    throw new ServiceError("forbidden", messages.formOfOther);
  }
  const asked = { chatUserId: row.chat_user_id, isExternal: link.isExternal };
  const opened = await openFor(context, found, asked);
  if ("reason" in opened) return opened;
  const { question } = opened;
  // A link by email address may have changed hands in the meantime.
  if (question.caller.userId !== person.userId) {
    throw new ServiceError("forbidden", messages.formOfOther);
  }
  const form = await formFor(context, { ...question, choice: link.choice });
  if (form === undefined) return whyNoForm(context, question);
  return { found, row, link, question, form };
}

function toChatFile({ field, name, mimeType, spooled }: WebFormUpload): [string, ChatFile] {
  return [field, { id: "", name, mimeType, size: spooled.size }];
}

async function store(
  context: ChatContext,
  { caller }: OpenQuestion,
  { field, name, mimeType, spooled }: WebFormUpload,
): Promise<[string, ChatFile]> {
  const info = { fileName: name, mimeType: plainType(mimeType) ?? mimeTypeOf(name) };
  const { fileId } = await createFile(context, caller, info, { spooled });
  return [field, { id: fileId, name, mimeType, size: spooled.size, fileId }];
}

function withFiles(values: ChatValues, files: readonly [string, ChatFile][]): ChatValues {
  const byField = Map.groupBy(files, ([field]) => field);
  const added = [...byField].map(([field, list]) => [
    field,
    { files: list.map(([, file]) => file) },
  ]);
  return { ...values, ...(Object.fromEntries(added) as ChatValues) };
}
