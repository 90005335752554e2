import type { Caller } from "#core/access";
import type { Context } from "#core/context";
import type { ChatConnectionTable, ChatQuestionTable } from "#db";
import { isId, newId } from "#lib/ids";
import type { ChatFieldProblem, ChatForm } from "./block.ts";
import { findTeamConnection } from "./connection-store.ts";
import type { ChatPress, ChatSubmission, ChatWork } from "./event.ts";
import { identify } from "./identify.ts";
import { insertWork } from "./inbox-store.ts";
import { openTransport } from "./open-transport.ts";
import type { ChatTransport } from "./platform.ts";
import { findOpenQuestion, takeQuestion } from "./question-store.ts";
import type { OpenQuestion, QuestionResponse } from "./responder.ts";
import { openSubject, sealResponse } from "./sealed.ts";
import { threadKey } from "./thread-key.ts";

/** What became of a press: the person was told why not, or asked by a form; or there is nothing to be shown. */
export type PressOutcome = "told" | "asked" | "taken" | "unknown";

/**
 * Takes a press of a button: opens the form that it asks for, or answers its question, which is in the inbox once
 * this returns. Of somebody else, or of a question that was answered, nothing comes but a word to who pressed.
 */
export async function pressButton(
  context: Context,
  platform: string,
  press: ChatPress,
): Promise<PressOutcome> {
  const { chatUserId, questionId, choice, trigger } = press;
  const found = await findAsked(context, platform, press);
  if (found === undefined) return "unknown";
  const { connection, transport, row } = found;
  const { channel, thread } = press;
  const tell = async (text: string) => {
    await transport.whisper({ channel, thread }, chatUserId, [{ kind: "text", text }]);
    return "told" as const;
  };
  if (row === undefined) return tell("This was answered already, or is too old. Ask me again.");
  if (row.chat_user_id !== chatUserId) return tell("Only the person who asked can do this.");
  const caller = await findCaller(context, found, chatUserId);
  if (caller === undefined)
    return tell("I do not know you any more. Mention me to link your account.");
  const question = openQuestion(context, row, caller);
  const form = await context.chat.responder.formFor(context, { ...question, choice });
  if (form !== undefined) {
    await transport.openForm(trigger, { ...form, questionId, choice });
    return "asked";
  }
  await answer(context, { connection, row, response: { choice } });
  return "taken";
}

type FormAsked = Pick<ChatPress, "teamId" | "chatUserId" | "questionId" | "choice">;

/**
 * The form that a press opened, for platforms that do not say which value belongs to which field; undefined for
 * one who may not answer it, and for a question that was answered.
 */
export async function findForm(
  context: Context,
  platform: string,
  asked: FormAsked,
): Promise<ChatForm | undefined> {
  const { chatUserId, choice } = asked;
  const found = await findAsked(context, platform, asked);
  if (found?.row === undefined || found.row.chat_user_id !== chatUserId) return undefined;
  const caller = await findCaller(context, found, chatUserId);
  if (caller === undefined) return undefined;
  const question = openQuestion(context, found.row, caller);
  return context.chat.responder.formFor(context, { ...question, choice });
}

/**
 * Takes a form that was sent: answers its question, which is in the inbox once this returns, or says what is wrong.
 * What cannot be answered by this user, or any more, changes nothing.
 */
export async function submitForm(
  context: Context,
  platform: string,
  submission: ChatSubmission,
): Promise<ChatFieldProblem[]> {
  const { chatUserId, values } = submission;
  const found = await findAsked(context, platform, submission);
  if (found?.row === undefined || found.row.chat_user_id !== chatUserId) return [];
  const caller = await findCaller(context, found, chatUserId);
  if (caller === undefined) return [];
  const question = openQuestion(context, found.row, caller);
  const problems = await context.chat.responder.checkForm(context, question, values);
  if (problems.length > 0) return problems;
  const { connection, row } = found;
  await answer(context, { connection, row, response: { values } });
  return [];
}

type Found = {
  connection: ChatConnectionTable;
  transport: ChatTransport;
  row: ChatQuestionTable | undefined;
};

/** Undefined for a team that is not connected. */
async function findAsked(
  context: Context,
  platform: string,
  { teamId, questionId: id, trigger }: { teamId: string; questionId: string; trigger?: string },
): Promise<Found | undefined> {
  const connection = await findTeamConnection(context.db, platform, teamId);
  if (connection === undefined) return undefined;
  const { id: connectionId } = connection;
  const now = context.clock.now();
  const row = isId(id) ? await findOpenQuestion(context.db, { id, connectionId, now }) : undefined;
  return { connection, transport: openTransport(context, connection, trigger), row };
}

async function findCaller(
  context: Context,
  { connection, transport }: Found,
  chatUserId: string,
): Promise<Caller | undefined> {
  const requestId = newId();
  const identified = await identify(context, { connection, transport, chatUserId, requestId });
  return "caller" in identified ? identified.caller : undefined;
}

function openQuestion(context: Context, row: ChatQuestionTable, caller: Caller): OpenQuestion {
  const subject = openSubject(context, row.id, row.sealed_subject);
  return { id: row.id, kind: row.kind, subject, caller };
}

/** Uses the question up and puts its answer into the inbox, both or neither. */
async function answer(
  context: Context,
  {
    connection,
    row,
    response,
  }: { connection: ChatConnectionTable; row: ChatQuestionTable; response: QuestionResponse },
): Promise<void> {
  const { db, clock } = context;
  const { platform, team_id: teamId, id: connectionId } = connection;
  const { id, channel, thread } = row;
  const now = clock.now();
  const work: ChatWork = {
    kind: "answer",
    answer: {
      channel,
      thread,
      chatUserId: row.chat_user_id,
      questionId: id,
      questionKind: row.kind,
      sealedSubject: row.sealed_subject,
      messageId: row.message_id,
      sealedResponse: sealResponse(context, id, response),
    },
  };
  const query = insertWork(db, {
    id: newId(),
    platform,
    team_id: teamId,
    event_id: `question:${id}`,
    message_key: null,
    thread_key: threadKey(platform, teamId, { channel, thread }),
    kind: work.kind,
    payload: JSON.stringify(work),
    created_at: now,
  });
  if (await db.transact([takeQuestion(db, { id, connectionId, now }), query])) {
    context.chat.worker.kick();
  }
}
