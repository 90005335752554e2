import { messages } from "../messages.ts";

const text = messages.gateway;

/** How to continue after a connection has ended. */
export type Ended =
  /** Resume the session. */
  | { kind: "resume" }
  /** Start a new session. */
  | { kind: "restart" }
  /** The operator has to fix something first. */
  | { kind: "refused"; code: number };

/** Any code but 1000 and 1001, which would end the session. */
export const closeToResume = 4_900;

export const disallowedIntents = 4_014;

/** How to continue after Discord closed a connection with a code. */
export function endedBy(code: number): Ended {
  if (code in reasons) return { kind: "refused", code };
  return sessionIsOver.has(code) ? { kind: "restart" } : { kind: "resume" };
}

/** An invalid sequence, and a session that timed out. */
const sessionIsOver = new Set([4_007, 4_009]);

/** Messages for the operator about connections that Discord keeps refusing. */
const reasons: Readonly<Record<number, string>> = {
  4_004: text.token,
  4_010: text.shard,
  4_011: text.tooManyServers,
  4_012: text.version,
  4_013: text.unknownIntent,
  [disallowedIntents]: text.privilegedIntent,
};

export function reasonOf(code: number): string {
  return reasons[code] ?? text.other;
}
