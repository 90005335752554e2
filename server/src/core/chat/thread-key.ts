import type { ThreadRef } from "./platform.ts";

/** The key of jobs that are processed one after the other: a thread, or a whole team. */
export function threadKey(
  platform: string,
  teamId: string,
  threadRef: ThreadRef | undefined,
): string {
  const within = threadRef === undefined ? [] : [threadRef.channel, threadRef.thread];
  return JSON.stringify([platform, teamId, ...within]);
}
