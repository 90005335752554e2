import type { Caller } from "#core/kernel";
import type { ChatContext } from "./context.ts";
import type { ChatConnectionTable, ChatQuestionTable } from "#db";
import { isId, newId } from "#lib/ids";
import { checkForm, formFor, isReady } from "./answers/answer-question.ts";
import type { ChatFieldProblem, ChatForm } from "./block.ts";
import { ChatError } from "./chat-error.ts";
import { findTeamConnection } from "./connection-store.ts";
import type { ChatPress, ChatSubmission, InboxJob } from "./event.ts";
import { authenticateLinked, identify } from "./identify.ts";
import type { Identified } from "./identify.ts";
import { insertJob } from "./inbox-store.ts";
import { findLink } from "./link-store.ts";
import { openTransport } from "./open-transport.ts";
import type { ChatTransport } from "./platform.ts";
import { findQuestion, takeQuestion } from "./question-store.ts";
import type { OpenQuestion, QuestionResponse } from "./trigger.ts";
import { openSubject, sealResponse } from "./sealed.ts";
import { threadKey } from "./thread-key.ts";
import { messages } from "./messages.ts";

/** What became of a press: the person was told why not, or asked by a form; or there is nothing to be shown. */
export type PressOutcome = "told" | "asked" | "taken" | "unknown";

/** Why nothing was done, in words for the one who tried. */
type Refusal = { kind: "refused"; reason: string };

/** What became of a form that was sent: its question is answered, or it is told what is wrong with it. */
export type FormOutcome =
  | { kind: "taken" }
  | { kind: "wrong"; problems: readonly ChatFieldProblem[] }
  | Refusal;

/**
 * Takes a press of a button: opens the form that it asks for, or answers its question, which is in the inbox once
 * this returns. Of somebody else, or of a question that was answered, nothing comes but a word to who pressed.
 */
export async function pressButton(
  context: ChatContext,
  platform: string,
  press: ChatPress,
): Promise<PressOutcome> {
  const { isExternal = false, questionId, choice, triggerId } = press;
  const found = await findQuestionRow(context, platform, press);
  if (found === undefined) return "unknown";
  const opened = await openFor(context, found, press);
  if ("reason" in opened) return refuse(found, press, opened);
  const form = await formFor(context, { ...opened.question, choice });
  if (form !== undefined) {
    await found.transport.openForm(triggerId, { ...form, questionId, choice });
    return "asked";
  }
  const isFirst = await answer(context, found.connection, opened.row, {
    isExternal,
    response: { choice },
  });
  return isFirst ? "taken" : refuse(found, press, answered);
}

async function refuse(
  { transport }: Found,
  { channel, thread, chatUserId }: ChatPress,
  { reason }: Refusal,
): Promise<"told"> {
  await transport.postEphemeral({ channel, thread }, chatUserId, [{ kind: "text", text: reason }]);
  return "told";
}

type FormAsked = Pick<ChatPress, "teamId" | "chatUserId" | "isExternal" | "questionId" | "choice">;

/** The form that a press opened, for platforms that do not say which value belongs to which field. */
export async function findForm(
  context: ChatContext,
  platform: string,
  asked: FormAsked,
): Promise<{ kind: "form"; form: ChatForm } | Refusal> {
  const found = await findQuestionRow(context, platform, asked);
  if (found === undefined) return disconnected;
  const opened = await openFor(context, found, asked);
  if ("reason" in opened) return opened;
  const { choice } = asked;
  const form = await formFor(context, { ...opened.question, choice });
  return form === undefined ? gone : { kind: "form", form };
}

/**
 * Takes a form that was sent: answers its question, which is in the inbox once this returns, or says what is wrong.
 * What cannot be answered by this user, or any more, changes nothing.
 */
export async function submitForm(
  context: ChatContext,
  platform: string,
  submission: ChatSubmission,
): Promise<FormOutcome> {
  const { isExternal = false, values } = submission;
  const found = await findQuestionRow(context, platform, submission);
  if (found === undefined) return disconnected;
  const opened = await openFor(context, found, submission);
  if ("reason" in opened) return opened;
  const problems = await checkForm(context, opened.question, values);
  if (problems.length > 0) return { kind: "wrong", problems };
  const isFirst = await answer(context, found.connection, opened.row, {
    isExternal,
    response: { values },
  });
  return isFirst ? { kind: "taken" } : answered;
}

const refused = (reason: string): Refusal => ({ kind: "refused", reason });
const disconnected = refused(messages.disconnected);
const expired = refused(messages.expired);
const answered = refused(messages.alreadyAnswered);
const notYours = refused(messages.notYours);
const unknown = refused(messages.unknownUser);
const unverified = refused(messages.unverifiedUser);
const gone = refused(messages.toolGone);

type Found = {
  connection: ChatConnectionTable;
  transport: ChatTransport;
  row: ChatQuestionTable | undefined;
};

/** Undefined for a team that is not connected. */
async function findQuestionRow(
  context: ChatContext,
  platform: string,
  { teamId, questionId: id, triggerId }: { teamId: string; questionId: string; triggerId?: string },
): Promise<Found | undefined> {
  const connection = await findTeamConnection(context.db, platform, teamId);
  if (connection === undefined) return undefined;
  const { id: connectionId } = connection;
  const row = isId(id) ? await findQuestion(context.db, { id, connectionId }) : undefined;
  return { connection, transport: openTransport(context, connection, triggerId), row };
}

/** The question as the one who was asked may answer it now. */
async function openFor(
  context: ChatContext,
  { connection, transport, row }: Found,
  { chatUserId, isExternal = false }: Pick<ChatPress, "chatUserId" | "isExternal">,
): Promise<{ row: ChatQuestionTable; question: OpenQuestion } | Refusal> {
  if (row === undefined) return expired;
  if (row.chat_user_id !== chatUserId) return notYours;
  if (row.answered_at !== null) return answered;
  if (row.expires_at <= context.clock.now()) return expired;
  const asking = { connection, transport, chatUserId, isExternal, requestId: newId() };
  const identified = await orUndefined(context, identify(context, asking));
  if (identified === undefined) return unverified;
  if (!("caller" in identified)) return unknown;
  return { row, question: openQuestion(context, row, identified.caller) };
}

/** Undefined while the platform does not say who somebody is. */
async function orUndefined(
  { log }: ChatContext,
  identified: Promise<Identified>,
): Promise<Identified | undefined> {
  try {
    return await identified;
  } catch (error) {
    if (!(error instanceof ChatError)) throw error;
    log.debug({ err: error }, "a chat user could not be identified");
    return undefined;
  }
}

function openQuestion(context: ChatContext, row: ChatQuestionTable, caller: Caller): OpenQuestion {
  const subject = openSubject(context, row.id, row.sealed_subject);
  return { id: row.id, kind: row.kind, subject, caller };
}

/**
 * Answers, in its person's name, a question that is ready to be answered; the inbox has it once this returns. False
 * when it is not ready, or somebody answered it already.
 */
export async function resumeQuestion(
  context: ChatContext,
  platform: string,
  { teamId, questionId, chatUserId }: { teamId: string; questionId: string; chatUserId: string },
): Promise<boolean> {
  const found = await findQuestionRow(context, platform, { teamId, questionId });
  if (found?.row === undefined) return false;
  // Nobody is linked, or offered a link, because the service looks.
  const link = await findLink(context.db, found.connection.id, chatUserId);
  if (link?.user_id == null) return false;
  const asking = { connection: found.connection, chatUserId, requestId: newId() };
  const caller = await authenticateLinked(context, asking, link.user_id);
  if (caller === undefined) return false;
  // Looking is frequent, so the platform is asked about the person only when there is something to do for them.
  const question = openQuestion(context, found.row, caller);
  if (!(await isReady(context, question))) return false;
  const opened = await openFor(context, found, { chatUserId });
  if ("reason" in opened) return false;
  const response = { choice: "run" };
  return answer(context, found.connection, opened.row, { isExternal: false, response });
}

/** Uses the question up and puts its answer into the inbox, both or neither; false when another answer was first. */
async function answer(
  context: ChatContext,
  connection: ChatConnectionTable,
  row: ChatQuestionTable,
  { isExternal, response }: { isExternal: boolean; response: QuestionResponse },
): Promise<boolean> {
  const { db, clock } = context;
  const { platform, team_id: teamId, id: connectionId } = connection;
  const { id, channel, thread } = row;
  const now = clock.now();
  const job: InboxJob = {
    kind: "answer",
    answer: {
      channel,
      thread,
      chatUserId: row.chat_user_id,
      isExternal,
      questionId: id,
      questionKind: row.kind,
      sealedSubject: row.sealed_subject,
      messageId: row.message_id,
      sealedResponse: sealResponse(context, id, response),
    },
  };
  const query = insertJob(db, {
    id: newId(),
    platform,
    team_id: teamId,
    event_id: `question:${id}`,
    message_key: null,
    thread_key: threadKey(platform, teamId, { channel, thread }),
    kind: job.kind,
    payload: JSON.stringify(job),
    created_at: now,
  });
  const isFirst = await db.transact([takeQuestion(db, { id, connectionId, now }), query]);
  if (isFirst) context.chat.worker.kick();
  return isFirst;
}
