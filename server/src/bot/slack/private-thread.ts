import { z } from "zod";
import { ChatError } from "#core/chat";
import type { ChatBlock, PlatformTransport } from "#core/chat";
import { messages } from "./messages.ts";
import type { CallSlack } from "./slack-call.ts";
import { callWithContent, contents, respondTo } from "./slack-post.ts";

/** The thread of a request that is no message, such as a slash command. Its answers are for one person. */
export function writePrivateThread(user: string, id: string): string {
  return `private:${user}:${id}`;
}

function userOf(thread: string | undefined): string | undefined {
  return /^private:([UW][A-Z0-9]{1,30}):/.exec(thread ?? "")?.[1];
}

type Access = { apiUrl: string; call: CallSlack; hint: string | undefined };

const posted = z.object({ channel: z.string(), ts: z.string() });
/** The ID of an answer that has none, because it is shown to one person only. */
const responseId = "response";

/**
 * Answers in private threads by the response URL of the command or press, which Slack accepts five times within 30
 * minutes, and then by direct message. Anywhere else, the transport is unchanged. A process that dies while it answers
 * may show the answer twice: Slack cannot be asked which responses it has shown.
 */
export function withPrivateThreads(
  transport: Required<PlatformTransport>,
  { apiUrl, call, hint }: Access,
): Required<PlatformTransport> {
  const responseUrl = hint?.startsWith("http") === true ? hint : undefined;
  const respond = (blocks: readonly ChatBlock[], isReplacing: boolean) =>
    tryToRespond({ apiUrl, responseUrl }, blocks, isReplacing);
  const postDirectly = async (user: string, blocks: readonly ChatBlock[]): Promise<DirectMessage> =>
    posted.parse(
      await callWithContent(call, "chat.postMessage", contents(blocks), { channel: user }),
    );
  let direct: DirectMessage | undefined;
  return {
    ...transport,
    ...withoutMessage(transport),
    post: async (threadRef, message) => {
      const user = userOf(threadRef.thread);
      if (user === undefined) return transport.post(threadRef, message);
      if (await respond(message.blocks, false)) return responseId;
      direct = await postDirectly(user, message.blocks);
      return `${direct.ts}@${direct.channel}`;
    },
    update: async (threadRef, message) => {
      if (userOf(threadRef.thread) === undefined) {
        await transport.update(threadRef, message);
        return;
      }
      const { messageId, blocks } = message;
      const [ts = "", channel] = messageId.split("@");
      if (channel === undefined) await respond(blocks, true);
      else {
        const inDirect = { channel, thread: threadRef.thread };
        await transport.update(inDirect, { messageId: ts, blocks });
      }
    },
    postEphemeral: async (target, user, blocks) => {
      if (await respond(blocks, false)) return;
      if (isUser(target.channel)) await postDirectly(target.channel, blocks);
      else if (userOf(target.thread) === undefined) {
        await transport.postEphemeral(target, user, blocks);
      } else await transport.postPrivately(target.channel, user, blocks);
    },
    uploadFile: async (threadRef, file) => {
      const user = userOf(threadRef.thread);
      if (user === undefined) {
        await transport.uploadFile(threadRef, file);
        return;
      }
      direct ??= await postDirectly(user, [{ kind: "text", text: messages.filesOfRun }]);
      await transport.uploadFile({ channel: direct.channel, thread: direct.ts }, file);
    },
  };
}

function isPrivate(thread: string | undefined): boolean {
  return userOf(thread) !== undefined;
}

/** Nothing is shown on, and nothing is read from, a request that is no message. */
function withoutMessage(
  transport: Required<PlatformTransport>,
): Pick<
  Required<PlatformTransport>,
  "acknowledge" | "finish" | "setStatus" | "openStream" | "findMarked" | "readThread"
> {
  return {
    acknowledge: async (message) => {
      if (!isPrivate(message.messageId)) await transport.acknowledge(message);
    },
    finish: async (message, outcome) => {
      if (!isPrivate(message.messageId)) await transport.finish(message, outcome);
    },
    setStatus: async (threadRef, user, status) => {
      if (!isPrivate(threadRef.thread)) await transport.setStatus(threadRef, user, status);
    },
    openStream: (threadRef, message) =>
      isPrivate(threadRef.thread) ? undefined : transport.openStream(threadRef, message),
    findMarked: async (threadRef, mark, since) =>
      isPrivate(threadRef.thread) ? undefined : transport.findMarked(threadRef, mark, since),
    readThread: async (threadRef, bounds) =>
      isPrivate(threadRef.thread)
        ? { messages: [], isComplete: true }
        : transport.readThread(threadRef, bounds),
  };
}

/** False if there is no URL for responses, or it accepts no more of them. */
async function tryToRespond(
  { apiUrl, responseUrl }: { apiUrl: string; responseUrl: string | undefined },
  blocks: readonly ChatBlock[],
  isReplacing: boolean,
): Promise<boolean> {
  if (responseUrl === undefined) return false;
  try {
    await respondTo(apiUrl, responseUrl, contents(blocks), isReplacing);
    return true;
  } catch (error) {
    if (isOver(error)) return false;
    throw error;
  }
}

type DirectMessage = z.infer<typeof posted>;

/** Conversations are addressed by the user where there is no channel. */
function isUser(channel: string): boolean {
  return /^[UW]/.test(channel);
}

/** Whether a response URL takes nothing more. */
function isOver(error: unknown): boolean {
  return error instanceof ChatError && error.failure === "gone";
}
