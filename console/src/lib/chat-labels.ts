import type { ChatProblemKind } from "@toolhost/contract";
import { messages } from "./chat-messages.ts";

/** `team` is the platform's word for a connected group of people. */
type Platform = { label: string; team: string };

const platforms: Readonly<Record<string, Platform>> = messages.platforms;

/** How to name a chat platform. An unknown one goes by its ID. */
export function chatPlatform(name: string): Platform {
  return platforms[name] ?? { label: name, team: messages.platforms.slack.team };
}

/** The meaning of a kind of problem; undefined where the problem's own text says it best. */
export function chatProblemText(
  kind: ChatProblemKind | null,
  platform: string,
): string | undefined {
  if (kind === null || kind === "outage") return undefined;
  const { label, team } = chatPlatform(platform);
  return messages.problems[kind](label, team);
}
