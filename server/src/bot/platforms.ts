import type { Config } from "#config";
import type { ChatPlatform, KnownPlatform } from "#core/chat";
import { createDiscordPlatform } from "./discord/discord-platform.ts";
import { createSlackPlatform } from "./slack/slack-platform.ts";

/** All supported chat platforms, and those that this server is configured for. */
export function createChatPlatforms(config: Config): {
  known: KnownPlatform[];
  platforms: ChatPlatform[];
} {
  const platforms = [createSlackPlatform(config), createDiscordPlatform(config)];
  return {
    known: [
      { name: "slack", label: "Slack", providesEmails: true },
      { name: "discord", label: "Discord", providesEmails: false },
    ],
    platforms: platforms.filter((platform) => platform !== undefined),
  };
}
