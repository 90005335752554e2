import { ChatError } from "./chat-error.ts";
import type { ChatContext } from "./context.ts";
import type { ChatStatus, ChatTransport, ThreadRef } from "./platform.ts";

/** What the bot is doing, shown to the person who waits. It delays nothing, and no failure of it matters. */
export type StatusLine = {
  show(status: ChatStatus): void;
  /** Waits until nothing is shown. */
  clear(): Promise<void>;
};

type Shown = { transport: ChatTransport; threadRef: ThreadRef; chatUserId: string };

export function createStatusLine(
  { log }: Pick<ChatContext, "log">,
  { transport, threadRef, chatUserId }: Shown,
): StatusLine {
  let last: Promise<void> | undefined;
  const set = async (before: Promise<void> | undefined, status: ChatStatus | undefined) => {
    await before;
    try {
      await transport.setStatus(threadRef, chatUserId, status);
    } catch (error) {
      if (!(error instanceof ChatError)) throw error;
      log.debug({ err: error }, "a status could not be shown");
    }
  };
  return {
    show: (status) => {
      last = set(last, status);
      // `clear` reports an error that is not the platform's.
      last.catch(() => undefined);
    },
    clear: async () => {
      if (last !== undefined) await set(last, undefined);
    },
  };
}
