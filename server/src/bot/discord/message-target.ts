import { ChatError } from "#core/chat";
import type { ThreadRef } from "#core/chat";
import { isRefusedBy } from "./discord-call.ts";
import type { CallDiscord } from "./discord-call.ts";
import type { MentionHint } from "./mention-hint.ts";

/** A message of ours as the core knows it: with its channel where that is not the thread that it belongs to. */
export function writePostId(messageId: string, elsewhere: string | undefined): string {
  // The message comes first, so that ids sort by time.
  return elsewhere === undefined ? messageId : `${messageId}@${elsewhere}`;
}

export function readPostId(text: string): { messageId: string; elsewhere: string | undefined } {
  const [, messageId, elsewhere] = /^(\d{1,20})@(\d{1,20})$/.exec(text) ?? [];
  return messageId === undefined
    ? { messageId: text, elsewhere: undefined }
    : { messageId, elsewhere };
}

/** Where something can be posted. */
export type MessageTarget = {
  channel: string;
  /** Set where there is no thread. */
  replyTo: string | undefined;
  /** Somebody who does not know of the thread yet, for it was just made. */
  newFor: string | undefined;
};

/** Where in Discord what belongs to a place of the core's is, or is put. */
export type Targets = {
  /** For something new; makes the thread that it is for. Throws `ChatError`. */
  forPost(threadRef: ThreadRef): Promise<MessageTarget>;
  /** Everywhere that something of ours may have been put. */
  all(threadRef: ThreadRef): string[];
  /** Whether a channel is a thread that was perhaps not made yet. */
  mayBeMissing(channel: string): boolean;
  /** Takes note of where something of ours is: the rest goes there, too. */
  foundIn(channel: string, threadRef: ThreadRef): void;
  /** The channel that we reply in, in the place of a thread. */
  elsewhere(): string | undefined;
};

/**
 * A thread is made from the message that mentioned the bot, when there is something to be put into it. Where that is
 * not allowed, or is not possible in such a channel, the bot replies in the channel.
 */
export function createTargets(
  call: CallDiscord,
  { mention, from }: { mention: MentionHint | undefined; from: string | undefined },
): Targets {
  let elsewhere = readPostId(from ?? "").elsewhere;
  let isThere = false;
  const makes = (threadRef: ThreadRef) =>
    mention !== undefined && mention.channel !== threadRef.channel;
  const foundIn = (channel: string, threadRef: ThreadRef) => {
    if (channel === threadRef.channel) isThere = true;
    else elsewhere = channel;
  };
  return {
    forPost: async (threadRef) => {
      if (elsewhere !== undefined) return reply(elsewhere, threadRef);
      const { channel } = threadRef;
      const target = { channel, replyTo: undefined, newFor: undefined };
      if (mention === undefined || isThere || !makes(threadRef)) return target;
      if (await makeThread(call, mention)) {
        foundIn(channel, threadRef);
        return { ...target, newFor: mention.author };
      }
      foundIn(mention.channel, threadRef);
      return reply(mention.channel, threadRef);
    },
    all: (threadRef) => {
      if (elsewhere !== undefined) return [elsewhere];
      const { channel } = threadRef;
      return mention === undefined || !makes(threadRef) ? [channel] : [channel, mention.channel];
    },
    mayBeMissing: (channel) => mention !== undefined && channel === mention.messageId,
    foundIn,
    elsewhere: () => elsewhere,
  };
}

const alreadyThere = 160_004;

/** Whether there is a thread now. Throws `ChatError` where that may be different later. */
async function makeThread(
  call: CallDiscord,
  { channel, messageId, title }: MentionHint,
): Promise<boolean> {
  const path = `channels/${channel}/messages/${messageId}/threads`;
  try {
    const body = { name: title === "" ? "Toolhost" : title };
    await call({ label: "make a thread", method: "POST", path, body });
    return true;
  } catch (error) {
    if (!(error instanceof ChatError)) throw error;
    if (error.failure === "later" || error.failure === "revoked") throw error;
    return isRefusedBy(error, alreadyThere);
  }
}

function reply(channel: string, { thread: replyTo }: ThreadRef): MessageTarget {
  return { channel, replyTo, newFor: undefined };
}
