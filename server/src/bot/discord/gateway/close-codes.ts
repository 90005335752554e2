/** What comes after a connection has ended. */
export type Ended =
  /** The session can be gone on with. */
  | { kind: "again" }
  /** Another session has to begin. */
  | { kind: "anew" }
  /** The operator has to do something first. */
  | { kind: "refused"; code: number };

/** Ours: any but 1000 and 1001, which would end the session. */
export const closeToResume = 4_900;

export const disallowedIntents = 4_014;

/** What Discord means by closing a connection. */
export function endedBy(code: number): Ended {
  if (code in reasons) return { kind: "refused", code };
  return sessionIsOver.has(code) ? { kind: "anew" } : { kind: "again" };
}

/** An invalid sequence, and a session that timed out. */
const sessionIsOver = new Set([4_007, 4_009]);

/** What the operator is told of connections that Discord will refuse again and again. */
const reasons: Readonly<Record<number, string>> = {
  4_004: "Discord does not take DISCORD_BOT_TOKEN. Set the one from the application's page “Bot”.",
  4_010: "Discord refuses the shard.",
  4_011: "The bot is in too many servers for one connection; this service does not split them.",
  4_012: "Discord has no such version of its gateway any more. Update this service.",
  4_013: "Discord does not know an intent. Update this service.",
  [disallowedIntents]:
    "Discord does not allow an intent. Look at “Privileged Gateway Intents” on the application's page “Bot”.",
};

export function reasonOf(code: number): string {
  return reasons[code] ?? "Discord refuses the connection.";
}
