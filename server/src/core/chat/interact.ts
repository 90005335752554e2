import type { Caller } from "#core/kernel";
import type { ChatContext } from "./context.ts";
import type { ChatConnectionTable, ChatQuestionTable } from "#db";
import { isId, newId } from "#lib/ids";
import { changedTitle, checkForm, formFor, isReady } from "./answers/answer-question.ts";
import { takeFeedback } from "./answers/feedback.ts";
import { textOfBlocks } from "./block-text.ts";
import type { ChatBlock, ChatButton, ChatFieldProblem, ChatForm } from "./block.ts";
import { ChatError } from "./chat-error.ts";
import { findTeamConnection } from "./connection-store.ts";
import type { ChatPress, ChatSubmission } from "./event.ts";
import { authenticateLinked, identify } from "./identify.ts";
import type { Identified } from "./identify.ts";
import { createFormLink } from "./form-link.ts";
import { findLink } from "./link-store.ts";
import { openTransport } from "./open-transport.ts";
import type { ChatTransport } from "./platform.ts";
import { findQuestion } from "./question-store.ts";
import type { OpenQuestion } from "./trigger.ts";
import { openSubject } from "./sealed.ts";
import { answer } from "./take-answer.ts";
import { messages } from "./messages.ts";

/** The outcome of a press: the person was notified why nothing happened, a form was opened, or the answer is in the inbox. */
export type PressOutcome = "notified" | "asked" | "taken" | "unknown";

/** Why nothing was done, for the person. */
export type Refusal = { kind: "refused"; reason: string };

/** The outcome of a submitted form. */
export type FormOutcome =
  | { kind: "taken" }
  | { kind: "wrong"; problems: readonly ChatFieldProblem[] }
  | Refusal;

/**
 * Handles a button press: opens its form, or answers its question, which is in the inbox once this returns. A press
 * by someone else, or for an answered question, only shows them a message.
 */
export async function pressButton(
  context: ChatContext,
  platform: string,
  press: ChatPress,
): Promise<PressOutcome> {
  const { isExternal = false, questionId, choice } = press;
  const found = await findQuestionRow(context, platform, press);
  if (found === undefined) return "unknown";
  const opened = await openFor(context, found, press);
  if ("reason" in opened) return refuse(found, press, opened);
  const pressed = { ...opened.question, choice };
  const feedback = await takeFeedback(context, pressed);
  if (feedback?.notice === "") return "taken";
  if (feedback !== undefined)
    return refuse(found, press, { kind: "refused", reason: feedback.notice });
  const form = await formFor(context, pressed);
  if (form !== undefined) {
    const asked = { ...form, questionId, choice, responseUrl: press.responseUrl };
    return openForm(context, found, { press, form: asked });
  }
  const isFirst = await answer(context, found.connection, opened.row, {
    isExternal,
    response: { choice },
    hint: press.responseUrl,
  });
  return isFirst ? "taken" : refuse(found, press, answered);
}

/** Opens a form, or offers its page where that is not possible, for example because the press took too long to arrive. */
async function openForm(
  context: ChatContext,
  found: Found,
  { press, form }: { press: ChatPress; form: ChatForm },
): Promise<PressOutcome> {
  const { questionId, choice } = press;
  const url = createFormLink(context, found.connection, press);
  const open: ChatButton = { label: messages.openForm, style: "primary", url };
  const offerPage = () =>
    notifyPresser(found, press, [
      { kind: "text", text: messages.formOnPage(form.title) },
      { kind: "buttons", buttons: [open] },
    ]);
  if (!found.transport.capabilities.forms) return offerPage();
  try {
    const { panelId } = press;
    const { panels } = found.transport;
    if (press.showForm !== undefined) press.showForm(form);
    else if (panelId === undefined || panels === undefined) {
      await found.transport.openForm(press.triggerId, form);
    } else {
      await panels.update(panelId, { kind: "form", form });
    }
    return "asked";
  } catch (error) {
    if (!(error instanceof ChatError) || error.failure === "revoked") throw error;
    context.log.debug({ err: error }, "a form could not be opened");
    // Another attempt would be refused, too.
    if (error.failure === "refused") return offerPage();
    return notifyPresser(found, press, [
      { kind: "text", text: messages.formNotOpened(form.title) },
      {
        kind: "buttons",
        buttons: [open, { label: messages.tryAgain, questionId, choice }],
      },
    ]);
  }
}

function refuse(found: Found, press: ChatPress, { reason }: Refusal): Promise<"notified"> {
  return notifyPresser(found, press, [{ kind: "text", text: reason }]);
}

async function notifyPresser(
  { transport }: Found,
  { channel, thread, chatUserId, responseUrl, panelId, respond }: ChatPress,
  blocks: readonly ChatBlock[],
): Promise<"notified"> {
  if (panelId !== undefined) {
    const buttons = blocks.flatMap((block) => (block.kind === "buttons" ? block.buttons : []));
    const notice = { title: messages.nothingChanged, text: textOfBlocks(blocks), buttons };
    await transport.panels?.update(panelId, { kind: "notice", ...notice });
    return "notified";
  }
  if (respond !== undefined) {
    respond(blocks);
    return "notified";
  }
  if (responseUrl !== undefined) {
    try {
      await transport.respond(responseUrl, blocks);
      return "notified";
    } catch (error) {
      if (!(error instanceof ChatError)) throw error;
    }
  }
  await transport.postEphemeral({ channel, thread }, chatUserId, blocks);
  return "notified";
}

type FormAsked = Pick<ChatPress, "teamId" | "chatUserId" | "isExternal" | "questionId" | "choice">;

/** The form that a press opened, for platforms that submit values without field names. */
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
  return form === undefined ? whyNoForm(context, opened.question) : { kind: "form", form };
}

/**
 * Handles a submitted form: its answer is in the inbox once this returns, or the problems are returned. A submission
 * that is not allowed or no longer valid changes nothing.
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
    hint: submission.responseUrl,
  });
  return isFirst ? { kind: "taken" } : answered;
}

const refused = (reason: string): Refusal => ({ kind: "refused", reason });
const disconnected = refused(messages.disconnected);
const expired = refused(messages.expired);
export const answered = refused(messages.alreadyAnswered);
const notYours = refused(messages.notYours);
const unknown = refused(messages.unknownUser);
const unverified = refused(messages.unverifiedUser);
const gone = refused(messages.toolGone);

/** Why the form of a question is not shown. */
export async function whyNoForm(context: ChatContext, question: OpenQuestion): Promise<Refusal> {
  const title = await changedTitle(context, question);
  return title === undefined ? gone : refused(messages.formChanged(title));
}

export type Found = {
  connection: ChatConnectionTable;
  transport: ChatTransport;
  row: ChatQuestionTable | undefined;
};

/** Undefined for a team that is not connected. */
export async function findQuestionRow(
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

/** The question, if this user may answer it now. */
export async function openFor(
  context: ChatContext,
  { connection, transport, row }: Found,
  { chatUserId, isExternal = false }: Pick<ChatPress, "chatUserId" | "isExternal">,
): Promise<{ row: ChatQuestionTable; question: OpenQuestion } | Refusal> {
  if (row === undefined) return expired;
  if (row.chat_user_id !== chatUserId) return notYours;
  if (row.answered_at !== null) return answered;
  if (row.expires_at <= context.clock.now()) return expired;
  const from = { connection, transport, chatUserId, isExternal, requestId: newId() };
  const identified = await orUndefined(context, identify(context, from));
  if (identified === undefined) return unverified;
  if (!("caller" in identified)) return unknown;
  return { row, question: openQuestion(context, row, identified.caller) };
}

/** Undefined while the platform cannot be asked. */
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
 * Answers a question in the person's name once the tool can run; the answer is in the inbox once this returns. False
 * when it cannot run yet, or the question was answered.
 */
export async function resumeQuestion(
  context: ChatContext,
  platform: string,
  { teamId, questionId, chatUserId }: { teamId: string; questionId: string; chatUserId: string },
): Promise<boolean> {
  const found = await findQuestionRow(context, platform, { teamId, questionId });
  if (found?.row === undefined) return false;
  // This background check must not create links or offer them.
  const link = await findLink(context.db, found.connection.id, chatUserId);
  if (link?.user_id == null) return false;
  const asking = { connection: found.connection, chatUserId, requestId: newId() };
  const caller = await authenticateLinked(context, asking, link.user_id);
  if (caller === undefined) return false;
  // The check is frequent, so the platform is asked about the person only when the answer is due.
  const question = openQuestion(context, found.row, caller);
  if (!(await isReady(context, question))) return false;
  const opened = await openFor(context, found, { chatUserId });
  if ("reason" in opened) return false;
  const response = { choice: "run" };
  return answer(context, found.connection, opened.row, { isExternal: false, response });
}
