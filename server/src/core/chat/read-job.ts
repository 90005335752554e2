import type { ChatContext } from "./context.ts";
import type { InboxJob } from "./event.ts";
import type { EphemeralTarget, ThreadRef } from "./platform.ts";
import type { Trigger } from "./trigger.ts";
import { openHint, openResponse, openSubject } from "./sealed.ts";

/** Whose turn it is, where, and what about. */
export type ReadJob = {
  threadRef: ThreadRef;
  chatUserId: string;
  /** Whether the platform said that the user is a guest, or of another team. */
  isExternal: boolean;
  /** The message before which all is history, and after which the answer is. */
  since: string;
  trigger: Trigger;
};

/** Where something can be said to the one whose turn it is alone: nobody looks into a thread that nobody answered in. */
export function ephemeralTargetOf({
  threadRef: { channel, thread },
  since,
}: ReadJob): EphemeralTarget {
  return { channel, thread: since === thread ? undefined : thread };
}

/** What the platform gave to answer some work by: with the message, or as the id of ours that it goes on from. */
export function hintOf(context: ChatContext, id: string, job: InboxJob): string | undefined {
  if (job.kind === "answer") return job.answer.messageId ?? undefined;
  if (job.kind === "run_ended") return job.ended.messageId;
  const sealed = job.kind === "message" ? job.message.hint : undefined;
  return sealed === undefined ? undefined : openHint(context, id, sealed);
}

/** Newer than every message, where none is the last. */
const endOfThread = "\u{10FFFF}";

/** What a responder is told of work that somebody asked for. */
export function readJob(
  context: ChatContext,
  job: Exclude<InboxJob, { kind: "departure" }>,
): ReadJob {
  switch (job.kind) {
    case "message": {
      const {
        channel,
        thread,
        chatUserId,
        isExternal = false,
        messageId,
        text,
        files,
      } = job.message;
      const trigger = { kind: "message", text, files } as const;
      return { threadRef: { channel, thread }, chatUserId, isExternal, since: messageId, trigger };
    }
    case "run_ended": {
      const { channel, thread, chatUserId, runId, messageId } = job.ended;
      const trigger = { kind: "run_ended", runId, messageId } as const;
      const isExternal = false;
      return { threadRef: { channel, thread }, chatUserId, isExternal, since: messageId, trigger };
    }
    default: {
      const { channel, thread, chatUserId, isExternal = false, questionId, messageId } = job.answer;
      const question = {
        kind: job.answer.questionKind,
        subject: openSubject(context, questionId, job.answer.sealedSubject),
      };
      const response = openResponse(context, questionId, job.answer.sealedResponse);
      return {
        threadRef: { channel, thread },
        chatUserId,
        isExternal,
        since: messageId ?? endOfThread,
        trigger: { kind: "answer", question, messageId, response },
      };
    }
  }
}
