import type { ChatPlace } from "./platform.ts";

/** Names what is done one after the other: a thread, or what concerns a whole team. */
export function threadKey(platform: string, teamId: string, place: ChatPlace | undefined): string {
  const within = place === undefined ? [] : [place.channel, place.thread];
  return JSON.stringify([platform, teamId, ...within]);
}
