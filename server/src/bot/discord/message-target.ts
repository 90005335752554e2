import { ChatError } from "#core/chat";
import type { ThreadRef } from "#core/chat";
import { isRefusedBy } from "./discord-call.ts";
import type { CallDiscord } from "./discord-call.ts";
import type { MentionHint } from "./mention-hint.ts";

/** The ID of a message for the core, with its channel if it is outside of its thread. */
export function writePostId(messageId: string, elsewhere: string | undefined): string {
  // The message comes first, so that IDs sort by time.
  return elsewhere === undefined ? messageId : `${messageId}@${elsewhere}`;
}

export function readPostId(text: string): { messageId: string; elsewhere: string | undefined } {
  const [, messageId, elsewhere] = /^(\d{1,20})@(\d{1,20})$/.exec(text) ?? [];
  return messageId === undefined
    ? { messageId: text, elsewhere: undefined }
    : { messageId, elsewhere };
}

/** A channel or thread to post in. */
export type MessageTarget = {
  channel: string;
  /** The message to reply to where there is no thread. */
  replyTo: string | undefined;
  /** The user to notify of a thread that was just created. */
  newFor: string | undefined;
};

/** The channels in which the messages of a thread reference are, or are posted. */
export type Targets = {
  /** The target of a new message; creates its thread if necessary. Throws `ChatError`. */
  forPost(threadRef: ThreadRef): Promise<MessageTarget>;
  /** Every channel that may have messages of ours. */
  all(threadRef: ThreadRef): string[];
  /** Whether a channel is a thread that may not have been created. */
  mayBeMissing(channel: string): boolean;
  /** Records where a message of ours is, so that later ones follow it. */
  foundIn(channel: string, threadRef: ThreadRef): void;
  /** The channel that replaces the thread, if any. */
  elsewhere(): string | undefined;
};

/**
 * Creates a thread from the message that mentioned the bot, when the first message is posted. Where threads are not
 * allowed or not possible, the bot replies in the channel.
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
      if (await createThread(call, mention)) {
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

/** Creates a thread; false where there can be none. Throws `ChatError` when a retry may succeed. */
async function createThread(
  call: CallDiscord,
  { channel, messageId, title }: MentionHint,
): Promise<boolean> {
  const path = `channels/${channel}/messages/${messageId}/threads`;
  try {
    const body = { name: title === "" ? "Toolhost" : title };
    await call({ label: "create a thread", method: "POST", path, body });
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
