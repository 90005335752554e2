import { setTimeout as sleep } from "node:timers/promises";
import { ChatError } from "#core/chat";

/** After a burst that Slack does not document, it accepts about one message per second in a channel. */
const everyMs = 1_050;
/** A call that would wait longer is refused, so that one busy channel does not hold all jobs. */
const maxWaitMs = 8_000;
/** How long a channel without a message in the meantime keeps its pace. */
const idleMs = 10_000;

/** Spreads the messages of this process over time in channels that have reached Slack's rate limit. */
export type Pace = {
  /** Waits for the channel's turn. Throws `ChatError` with the time to retry after. */
  wait(key: string): Promise<void>;
  /** Lets no message through for a time that Slack asked for, and one at a time from then on. */
  limit(key: string, ms: number): void;
  /** Whether the channel has reached its rate limit. */
  isLimited(key: string): boolean;
};

export function createPace(): Pace {
  /** When the next message of each limited channel is due. */
  const dueAt = new Map<string, number>();
  const forgetIdle = (now: number) => {
    for (const [key, due] of dueAt) if (due + idleMs < now) dueAt.delete(key);
  };
  return {
    wait: async (key) => {
      const now = performance.now();
      forgetIdle(now);
      const known = dueAt.get(key);
      if (known === undefined) return;
      const due = Math.max(now, known);
      const waitMs = due - now;
      if (waitMs > maxWaitMs) {
        const message = "chat.postMessage: too many messages in the channel";
        const retryAfterMs = Math.ceil(waitMs - maxWaitMs / 2);
        throw new ChatError("later", message, { retryAfterMs, kind: "rate_limited" });
      }
      dueAt.set(key, due + everyMs);
      if (waitMs > 0) await sleep(waitMs);
    },
    isLimited: (key) => {
      forgetIdle(performance.now());
      return dueAt.has(key);
    },
    limit: (key, ms) => {
      dueAt.set(key, Math.max(dueAt.get(key) ?? 0, performance.now() + ms));
    },
  };
}
