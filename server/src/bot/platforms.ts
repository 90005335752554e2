import type { Config } from "#config";
import type { ChatPlatform } from "#core/chat";
import { createSlackPlatform } from "./slack/slack-platform.ts";

/** The chat platforms that there is a door for, and those that the server is set up for. */
export function createChatPlatforms(config: Config): {
  known: { name: string; label: string }[];
  platforms: ChatPlatform[];
} {
  const slack = createSlackPlatform(config);
  return {
    known: [{ name: "slack", label: "Slack" }],
    platforms: slack === undefined ? [] : [slack],
  };
}
