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
  4_004: "Discord rejected DISCORD_BOT_TOKEN. Copy the token from the application's page “Bot”.",
  4_010: "Discord rejected the shard.",
  4_011:
    "The bot is in too many servers for one connection; this service does not support sharding.",
  4_012: "Discord no longer supports this gateway version. Update this service.",
  4_013: "Discord rejected an unknown intent. Update this service.",
  [disallowedIntents]:
    "Discord rejected a privileged intent. Check “Privileged Gateway Intents” on the application's page “Bot”.",
};

export function reasonOf(code: number): string {
  return reasons[code] ?? "Discord refused the connection.";
}
