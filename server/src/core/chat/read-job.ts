import type { ChatContext } from "./context.ts";
import type { AnswerableJob, InboxJob } from "./event.ts";
import type { EphemeralTarget, ThreadRef } from "./platform.ts";
import type { Trigger } from "./trigger.ts";
import { openHint, openResponse, openSubject } from "./sealed.ts";

/** The person, thread and trigger of a job. */
export type ReadJob = {
  threadRef: ThreadRef;
  chatUserId: string;
  /** Whether the event marks the user as a guest or a member of another team. */
  isExternal: boolean;
  /** Earlier messages are history; the reply follows it. */
  since: string;
  /** See `ChatMessage.isDirect`. */
  isDirect: boolean;
  trigger: Trigger;
  /** See `Turn.originId`. A run that ended is found by its Stop button. */
  originId: string | undefined;
};

/** Where to post an ephemeral message: in the channel if the thread has no replies yet, because no one has it open. */
export function ephemeralTargetOf({
  threadRef: { channel, thread },
  since,
}: ReadJob): EphemeralTarget {
  return { channel, thread: since === thread ? undefined : thread };
}

/** The hint for the transport: of the message, or the ID of the bot's message that the job continues. */
export function hintOf(context: ChatContext, id: string, job: InboxJob): string | undefined {
  if (job.kind === "answer" && job.answer.hint === undefined)
    return job.answer.messageId ?? undefined;
  if (job.kind === "run_ended") return job.ended.messageId;
  if (job.kind !== "message" && job.kind !== "answer") return undefined;
  const sealed = job.kind === "message" ? job.message.hint : job.answer.hint;
  return sealed === undefined ? undefined : openHint(context, id, sealed);
}

/** Greater than every message ID, for a question without a message. */
const endOfThread = "\u{10FFFF}";

/** Decodes the payload of a job that a person caused. */
export function readJob(context: ChatContext, job: AnswerableJob): ReadJob {
  switch (job.kind) {
    case "message": {
      const {
        channel,
        thread,
        chatUserId,
        isExternal = false,
        isDirect = false,
        isEvent = false,
        messageId,
        text,
        files,
      } = job.message;
      const trigger = { kind: "message", text, files } as const;
      const threadRef = { channel, thread };
      const originId = isEvent ? undefined : messageId;
      const by = { chatUserId, isExternal, isDirect, originId };
      return { threadRef, ...by, since: messageId, trigger };
    }
    case "run_ended": {
      const { channel, thread, chatUserId, runId, messageId } = job.ended;
      const trigger = { kind: "run_ended", runId, messageId } as const;
      const threadRef = { channel, thread };
      const by = { chatUserId, isExternal: false, isDirect: false, originId: undefined };
      return { threadRef, ...by, since: messageId, trigger };
    }
    default: {
      const { channel, thread, chatUserId, isExternal = false, questionId, messageId } = job.answer;
      const question = {
        kind: job.answer.questionKind,
        subject: openSubject(context, questionId, job.answer.sealedSubject),
      };
      const { originId } = question.subject;
      const response = openResponse(context, questionId, job.answer.sealedResponse);
      return {
        threadRef: { channel, thread },
        chatUserId,
        isExternal,
        isDirect: false,
        since: messageId ?? endOfThread,
        trigger: { kind: "answer", question, messageId, response },
        originId: typeof originId === "string" ? originId : undefined,
      };
    }
  }
}
