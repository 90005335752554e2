import type { KnownPlatform } from "#core/chat";
import { discord } from "./discord/discord-platform.ts";
import { mattermost } from "./mattermost/mattermost-platform.ts";
import { slack } from "./slack/slack-platform.ts";
import { teams } from "./teams/teams-platform.ts";

/** All supported chat platforms. */
export const chatPlatforms: readonly KnownPlatform[] = [slack, discord, mattermost, teams];
