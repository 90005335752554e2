import type { ChatContext } from "./context.ts";
import type { ChatWork } from "./event.ts";
import type { ChatAside, ThreadRef } from "./platform.ts";
import type { Occasion } from "./responder.ts";
import { openHint, openResponse, openSubject } from "./sealed.ts";

/** Whose turn it is, where, and what about. */
export type ReadWork = {
  threadRef: ThreadRef;
  chatUserId: string;
  /** Whether the platform said that the user is a guest, or of another team. */
  isExternal: boolean;
  /** The message before which all is history, and after which the answer is. */
  since: string;
  occasion: Occasion;
};

/** Where something can be said to the one whose turn it is alone: nobody looks into a thread that nobody answered in. */
export function asideOf({ threadRef: { channel, thread }, since }: ReadWork): ChatAside {
  return { channel, thread: since === thread ? undefined : thread };
}

/** What the platform gave to answer some work by: with the message, or as the id of ours that it goes on from. */
export function hintOf(context: ChatContext, id: string, work: ChatWork): string | undefined {
  if (work.kind === "answer") return work.answer.messageId ?? undefined;
  if (work.kind === "run_ended") return work.ended.messageId;
  const sealed = work.kind === "message" ? work.message.hint : undefined;
  return sealed === undefined ? undefined : openHint(context, id, sealed);
}

/** Newer than every message, where none is the last. */
const endOfThread = "\u{10FFFF}";

/** What a responder is told of work that somebody asked for. */
export function readWork(
  context: ChatContext,
  work: Exclude<ChatWork, { kind: "departure" }>,
): ReadWork {
  switch (work.kind) {
    case "message": {
      const {
        channel,
        thread,
        chatUserId,
        isExternal = false,
        messageId,
        text,
        files,
      } = work.message;
      const occasion = { kind: "message", text, files } as const;
      return { threadRef: { channel, thread }, chatUserId, isExternal, since: messageId, occasion };
    }
    case "run_ended": {
      const { channel, thread, chatUserId, runId, messageId } = work.ended;
      const occasion = { kind: "run_ended", runId, messageId } as const;
      const isExternal = false;
      return { threadRef: { channel, thread }, chatUserId, isExternal, since: messageId, occasion };
    }
    default: {
      const {
        channel,
        thread,
        chatUserId,
        isExternal = false,
        questionId,
        messageId,
      } = work.answer;
      const question = {
        kind: work.answer.questionKind,
        subject: openSubject(context, questionId, work.answer.sealedSubject),
      };
      const response = openResponse(context, questionId, work.answer.sealedResponse);
      return {
        threadRef: { channel, thread },
        chatUserId,
        isExternal,
        since: messageId ?? endOfThread,
        occasion: { kind: "answer", question, messageId, response },
      };
    }
  }
}
