import type { Skill } from "@toolhost/contract";
import type { ChatFile } from "../block.ts";
import { findOpenOffers, takeQuestion } from "../question-store.ts";
import { openSubject } from "../sealed.ts";
import { questionMs } from "../store-question.ts";
import { editMessage } from "../turn.ts";
import type { Turn } from "../turn.ts";
import type { ChatContext } from "../context.ts";
import { attach, findIfThere } from "./find-tool.ts";
import { messages } from "./messages.ts";
import { prefill } from "./prefill.ts";
import { maxTextLength, readSubject } from "./subject.ts";
import type { ToolRequest } from "./subject.ts";

/** An offer that is still open, and the message that shows it. */
type OpenOffer = { toolRequest: ToolRequest; questionId: string; messageId: string };

/** An earlier offer of a tool whose input a message completes. */
export type Completed = { tool: Skill; toolRequest: ToolRequest; offer: OpenOffer };

/**
 * Completes the latest open offer with the values of a message, such as "to km" after "convert 5 miles". Undefined if
 * there is none, or the message adds nothing to it.
 */
export async function completeOffer(
  context: ChatContext,
  turn: Turn,
  { text, files }: { text: string; files: readonly ChatFile[] },
): Promise<Completed | undefined> {
  const offer = await findOpenOffer(context, turn);
  if (offer === undefined) return undefined;
  const { toolRequest: earlier } = offer;
  const tool = await findIfThere(context, turn.caller, earlier);
  if (tool === undefined || tool.version !== earlier.version) return undefined;
  const whole = `${earlier.text} ${text}`.slice(0, maxTextLength);
  const input = { ...earlier.input, ...prefill(tool, text), ...prefill(tool, whole) };
  const attached = { ...earlier.attached, ...attach(tool, files) };
  const toolRequest = { ...earlier, text: whole, input, attached };
  const isSame = contentOf(toolRequest) === contentOf(earlier);
  if (isSame) return undefined;
  return { tool, toolRequest, offer };
}

function contentOf({ input, attached }: ToolRequest): string {
  return JSON.stringify([input, attached]);
}

/** Ends an offer that another message completes. */
export async function endOffer(
  context: ChatContext,
  turn: Turn,
  { tool, offer: { questionId: id, messageId } }: Completed,
): Promise<void> {
  const { db, clock } = context;
  const taken = { id, connectionId: turn.connection.id, now: clock.now() };
  if (!(await db.transact([takeQuestion(db, taken)]))) return;
  const text = messages.continuedBelow(tool.title);
  await editMessage(context, turn, messageId, [{ kind: "text", text }]);
}

/** How long a message can complete an earlier one. */
const followMs = 3_600_000;

/** The latest open offer of one tool to the person in the conversation, from before this turn. */
async function findOpenOffer(
  context: ChatContext,
  { connection, chatUserId, threadRef: { channel, thread }, isDirect, job }: Turn,
): Promise<OpenOffer | undefined> {
  const before = job.created_at + questionMs;
  const rows = await findOpenOffers(context.db, {
    connectionId: connection.id,
    chatUserId,
    channel,
    thread: isDirect ? undefined : thread,
    expires: { after: Math.max(context.clock.now(), before - followMs), before },
  });
  const [latest] = rows;
  if (latest?.message_id == null) return undefined;
  const shown = rows.filter(({ message_id: messageId }) => messageId === latest.message_id);
  // A choice between several tools has an offer for each.
  if (shown.length > 1) return undefined;
  const subject = openSubject(context, latest.id, latest.sealed_subject);
  return {
    toolRequest: readSubject({ subject }),
    questionId: latest.id,
    messageId: latest.message_id,
  };
}
