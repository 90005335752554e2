import { ServiceError } from "#core/kernel";
import type { ChatContext } from "./context.ts";
import type { ChatConnectionTable, ChatInboxTable } from "#db";
import { newId } from "#lib/ids";
import type { ChatBlock } from "./block.ts";
import { markBrokenIfRevoked } from "./mark-broken.ts";
import { ChatError } from "./chat-error.ts";
import { findConnection } from "./connection-store.ts";
import type { ChatMessage, InboxJob } from "./event.ts";
import { identify } from "./identify.ts";
import type { Identified } from "./identify.ts";
import { markAcknowledged, updateClaimed } from "./inbox-store.ts";
import { openTransport } from "./open-transport.ts";
import type { ChatTransport } from "./platform.ts";
import { findQuestion, watchQuestions } from "./question-store.ts";
import { ephemeralTargetOf, hintOf, readJob } from "./read-job.ts";
import { isHopeless, handleJobFailure } from "./handle-job-failure.ts";
import { messageSteps } from "./transcript.ts";
import { createTurn } from "./turn.ts";

/** Whatever takes longer is begun as a run whose end is promised. */
const turnMs = 180_000;

/** Does what is in the inbox and writes how it ended. Throws what keeps even that from being written. */
export async function processJob(
  context: ChatContext,
  claimed: ChatInboxTable,
  stopping: AbortSignal,
): Promise<void> {
  const { db, clock } = context;
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(turnMs)]);
  const { connection_id: id, workspace_id: workspaceId } = claimed;
  const connection = await findConnection(db, { id, workspaceId });
  try {
    if (isHopeless(claimed)) throw new Error("Each attempt ended with its process");
    // What came for a team that is connected no more has nobody to be answered to.
    const resumed: string[] = [];
    if (connection?.state === "active")
      await answerJob(context, claimed, { connection, signal, resumed });
    const done = { status: "done", payload: "", problem: null, problem_kind: null };
    const end = updateClaimed(db, claimed, { ...done, finished_at: clock.now() });
    // An attempt that did not get here leaves questions behind that nobody may answer but the person: the next
    // attempt runs the tool itself, or asks again.
    await db.transact(
      resumed.length === 0
        ? [end]
        : [{ query: end, mustChange: true }, watchQuestions(db, resumed, clock.now())],
    );
  } catch (error) {
    await handleJobFailure(context, { claimed, connection, error, isStopping: stopping.aborted });
  }
}

type JobContext = { connection: ChatConnectionTable; signal: AbortSignal; resumed: string[] };

async function answerJob(
  context: ChatContext,
  claimed: ChatInboxTable,
  { connection, signal, resumed }: JobContext,
): Promise<void> {
  const asked = JSON.parse(claimed.payload) as InboxJob;
  const transport = openTransport(context, connection, hintOf(context, claimed.id, asked));
  if (asked.kind === "departure") return markBrokenIfRevoked(context, connection, transport);
  if (asked.kind === "message") await takeNote(context, claimed, { connection, transport }, asked);
  const read = readJob(context, await withMessageId(context, connection, asked));
  const { chatUserId, isExternal } = read;
  const requestId = newId();
  const asking = { connection, transport, chatUserId, isExternal, requestId };
  const identified = await identify(context, asking);
  if (!("caller" in identified)) {
    await transport.postEphemeral(
      ephemeralTargetOf(read),
      chatUserId,
      explain(connection, identified),
    );
    return;
  }
  const { caller } = identified;
  const turn = createTurn(context, {
    ...read,
    claimed,
    connection,
    transport,
    caller,
    signal,
    resumed,
  });
  try {
    await context.chat.responder.answer(context, turn);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === "unavailable") throw error;
    await turn.reply([{ kind: "text", text: error.message }]);
  }
}

type Asked = Exclude<InboxJob, { kind: "departure" }>;

/** A press may come before it was noted which message asks; what noted that is over by now. */
async function withMessageId(
  { db }: ChatContext,
  { id }: ChatConnectionTable,
  asked: Asked,
): Promise<Asked> {
  if (asked.kind !== "answer" || asked.answer.messageId !== null) return asked;
  const { questionId } = asked.answer;
  const question = await findQuestion(db, { id: questionId, connectionId: id });
  return { ...asked, answer: { ...asked.answer, messageId: question?.message_id ?? null } };
}

/** How long the message's own node has to show that it was seen. */
const acknowledgedByMs = 2_000;

/** Shows that a message was seen, unless that was done, and keeps it with its thread. */
async function takeNote(
  context: ChatContext,
  claimed: ChatInboxTable,
  { connection, transport }: { connection: ChatConnectionTable; transport: ChatTransport },
  { message }: { message: ChatMessage },
): Promise<void> {
  const { channel, thread, messageId, chatUserId: author, text, about } = message;
  const isLate = context.clock.now() - claimed.created_at > acknowledgedByMs;
  if (claimed.acknowledged === 0 && isLate) {
    try {
      await transport.acknowledge({ channel, messageId });
      await markAcknowledged(context.db, claimed.id);
    } catch (error) {
      // The answer matters more.
      if (!(error instanceof ChatError) || error.failure === "revoked") throw error;
    }
  }
  const said = { messageId, author, text };
  const threadRef = { channel, thread };
  const pointedAt =
    about === undefined ? [] : messageSteps(context, connection.id, threadRef, about);
  await context.db.transact([
    ...pointedAt,
    ...messageSteps(context, connection.id, threadRef, said),
  ]);
}

function explain(
  { team_name: teamName }: ChatConnectionTable,
  identified: Exclude<Identified, { caller: unknown }>,
): ChatBlock[] {
  if ("isFormerMember" in identified) {
    const text = `Your account is not a member of the workspace that ${teamName} is connected to. Ask its admins.`;
    return [{ kind: "text", text }];
  }
  const text =
    "I do not know you yet. Say who you are, then ask me again. The link is for you alone.";
  return [
    { kind: "text", text },
    { kind: "buttons", buttons: [{ label: "Link my account", url: identified.linkUrl }] },
  ];
}
