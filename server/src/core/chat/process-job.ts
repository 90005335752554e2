import { ServiceError } from "#core/kernel";
import type { ChatContext } from "./context.ts";
import type { ChatConnectionTable } from "#db";
import { newId } from "#lib/ids";
import { chatJob, failure } from "#telemetry";
import type { Span } from "#telemetry";
import { acknowledgeOnce, finishSoon } from "./acknowledge.ts";
import { answer } from "./answers/answer.ts";
import { findStop } from "./answers/stop-run.ts";
import type { ChatBlock } from "./block.ts";
import { markBrokenIfRevoked } from "./mark-broken.ts";
import { ChatError } from "./chat-error.ts";
import { findConnection } from "./connection-store.ts";
import type { AnswerableJob, ChatMessage, InboxJob } from "./event.ts";
import { identify } from "./identify.ts";
import type { Identified } from "./identify.ts";
import { unlinked, updateClaimed } from "./inbox-store.ts";
import type { ClaimedJob } from "./inbox-store.ts";
import { messages } from "./messages.ts";
import { publishHome } from "./panels/publish-home.ts";
import { suggestPrompts } from "./panels/suggest-prompts.ts";
import { openTransport } from "./open-transport.ts";
import type { ChatTransport } from "./platform.ts";
import { findQuestion, watchQuestions } from "./question-store.ts";
import { ephemeralTargetOf, hintOf, readJob } from "./read-job.ts";
import { isHopeless, handleJobFailure } from "./handle-job-failure.ts";
import { createStatusLine } from "./status-line.ts";
import { messageSteps } from "./transcript.ts";
import type { Trigger } from "./trigger.ts";
import { reply } from "./turn.ts";
import type { Turn } from "./turn.ts";

/** A run that takes longer is reported when it completes. */
const turnMs = 180_000;

/** Processes a job and stores its outcome. Throws when the outcome cannot be stored. */
export async function processJob(
  context: ChatContext,
  claimed: ClaimedJob,
  stopping: AbortSignal,
): Promise<void> {
  const { tracing } = context;
  // The request that woke the worker may have brought another job.
  const span = tracing.detached(() => tracing.start(chatJob, claimed));
  try {
    await tracing.within(span, () => attemptJob(context, claimed, { stopping, span }));
  } finally {
    span.end();
  }
}

async function attemptJob(
  context: ChatContext,
  claimed: ClaimedJob,
  { stopping, span }: { stopping: AbortSignal; span: Span },
): Promise<void> {
  const { db, clock } = context;
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(turnMs)]);
  const { connection_id: id, workspace_id: workspaceId } = claimed;
  const connection = await findConnection(db, { id, workspaceId });
  try {
    if (isHopeless(claimed)) throw new Error("The process of every attempt died");
    // A team that has been disconnected gets no answer.
    const resumable =
      connection?.state === "active"
        ? await answerJob(context, claimed, { connection, signal })
        : [];
    const done = { status: "done", payload: "", problem: null, problem_kind: null };
    if (resumable === "unlinked") {
      const { payload } = claimed;
      const parked = { ...done, payload, problem: unlinked, finished_at: clock.now() };
      await db.transact([updateClaimed(db, claimed, parked)]);
      return;
    }
    const end = updateClaimed(db, claimed, { ...done, finished_at: clock.now() });
    // Only a finished job lets the service answer its questions: another attempt runs the tool itself, or asks again.
    await db.transact(
      resumable.length === 0
        ? [end]
        : [{ query: end, mustChange: true }, watchQuestions(db, resumable, clock.now())],
    );
  } catch (error) {
    span.update(failure, error);
    await handleJobFailure(context, { claimed, connection, error, isStopping: stopping.aborted });
  }
}

/**
 * Answers a job in the name of the person who asked, and returns the questions that the service may answer itself, or
 * `unlinked` for a message that can be answered once the person has linked their account.
 */
async function answerJob(
  context: ChatContext,
  claimed: ClaimedJob,
  { connection, signal }: { connection: ChatConnectionTable; signal: AbortSignal },
): Promise<readonly string[] | "unlinked"> {
  const job = JSON.parse(claimed.payload) as InboxJob;
  const transport = openTransport(context, connection, hintOf(context, claimed.id, job));
  if (job.kind === "departure") {
    await markBrokenIfRevoked(context, connection, transport);
    return [];
  }
  if (job.kind === "home") {
    const { channel, ...home } = job.home;
    if (channel === undefined) await publishHome(context, { connection, transport }, home);
    else await suggestPrompts(context, { connection, transport }, { ...home, channel });
    return [];
  }
  if (job.kind === "message") {
    await recordMessage(context, claimed, { connection, transport }, job.message);
  }
  const request = readJob(context, await withMessageId(context, connection, job));
  const { chatUserId, isExternal, threadRef, since, isDirect, trigger } = request;
  const originId = request.originId ?? (await findOrigin(context, connection, trigger));
  const asking = { connection, transport, chatUserId, isExternal, requestId: newId() };
  const identified = await identify(context, asking);
  if (!("caller" in identified)) {
    const blocks = explain(connection, identified);
    await transport.postEphemeral(ephemeralTargetOf(request), chatUserId, blocks);
    return "linkUrl" in identified && job.kind === "message" ? "unlinked" : [];
  }
  const turn: Turn = {
    job: claimed,
    connection,
    transport,
    chatUserId,
    threadRef,
    since,
    isDirect,
    trigger,
    originId,
    signal,
    caller: identified.caller,
    replyId: claimed.reply_id ?? undefined,
    unsentQuestionIds: [],
    resumableQuestionIds: [],
    status: createStatusLine(context, { transport, threadRef, chatUserId }),
  };
  try {
    await answerOrExplain(context, turn);
  } finally {
    await turn.status.clear();
  }
  const { outcome } = turn;
  if (originId !== undefined && outcome !== "running") {
    const message = { channel: threadRef.channel, messageId: originId };
    finishSoon(context, transport, { message, outcome });
  }
  return turn.resumableQuestionIds;
}

/** The message that led to a run which has ended. */
async function findOrigin(
  context: ChatContext,
  { id: connectionId }: ChatConnectionTable,
  trigger: Trigger,
): Promise<string | undefined> {
  if (trigger.kind !== "run_ended") return undefined;
  const { messageId, runId } = trigger;
  const stop = await findStop(context, { connectionId, messageId, runId });
  return typeof stop?.subject["originId"] === "string" ? stop.subject["originId"] : undefined;
}

async function answerOrExplain(context: ChatContext, turn: Turn): Promise<void> {
  try {
    await answer(context, turn);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === "unavailable") throw error;
    await reply(context, turn, [{ kind: "text", text: error.message }]);
  }
}

/**
 * A button may be pressed before the message with its question is stored. The job that stores it precedes this one in
 * the thread, so it is done by now.
 */
async function withMessageId(
  { db }: ChatContext,
  { id: connectionId }: ChatConnectionTable,
  job: AnswerableJob,
): Promise<AnswerableJob> {
  if (job.kind !== "answer" || job.answer.messageId !== null) return job;
  const question = await findQuestion(db, { id: job.answer.questionId, connectionId });
  return { ...job, answer: { ...job.answer, messageId: question?.message_id ?? null } };
}

/** How long the node that received a message may take to acknowledge it. */
const acknowledgedByMs = 2_000;

/** Stores a message with its thread, and acknowledges it if the node that received it has not. */
async function recordMessage(
  context: ChatContext,
  claimed: ClaimedJob,
  { connection, transport }: { connection: ChatConnectionTable; transport: ChatTransport },
  { channel, thread, messageId, chatUserId: author, text, files, about, isEvent }: ChatMessage,
): Promise<void> {
  const isLate = context.clock.now() - claimed.created_at > acknowledgedByMs;
  if (claimed.acknowledged === 0 && isLate && isEvent !== true) {
    try {
      await acknowledgeOnce(context, transport, { id: claimed.id, channel, messageId });
    } catch (error) {
      // The answer matters more than the reaction.
      if (!(error instanceof ChatError) || error.failure === "revoked") throw error;
    }
  }
  const recorded = [...(about === undefined ? [] : [about]), { messageId, author, text, files }];
  await context.db.transact(
    recorded.flatMap((one) => messageSteps(context, connection.id, { channel, thread }, one)),
  );
}

function explain(
  { team_name: teamName }: ChatConnectionTable,
  identified: Exclude<Identified, { caller: unknown }>,
): ChatBlock[] {
  if ("isFormerMember" in identified) {
    return [{ kind: "text", text: messages.notAMember(teamName) }];
  }
  const button = { label: messages.linkAccountButton, url: identified.linkUrl };
  return [
    { kind: "text", text: messages.linkAccount },
    { kind: "buttons", buttons: [button] },
  ];
}
