import type { ThreadRef } from "./platform.ts";

/** Names what is done one after the other: a thread, or what concerns a whole team. */
export function threadKey(
  platform: string,
  teamId: string,
  threadRef: ThreadRef | undefined,
): string {
  const within = threadRef === undefined ? [] : [threadRef.channel, threadRef.thread];
  return JSON.stringify([platform, teamId, ...within]);
}
