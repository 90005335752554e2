import type { ChatProblemKind } from "@toolhost/contract";
import { messages } from "./chat-messages.ts";
import { ownValue } from "./own-value.ts";

/** `team` names what is connected, in the platform's words. */
type Platform = { label: string; team: string };

const platforms: Readonly<Record<string, Platform>> = messages.platforms;

/** The labels of a chat platform. An unknown one is named by its ID. */
export function chatPlatform(name: string): Platform {
  return ownValue(platforms, name) ?? { label: name, team: messages.unknownTeam };
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
