import { Hono } from "hono";
import type { Context } from "#core/context";
import type { AppEnv } from "#rest";
import { mountDiscord } from "./discord/discord-routes.ts";
import { startDiscordGateway } from "./discord/gateway/start-gateway.ts";
import { mountMattermost } from "./mattermost/mattermost-routes.ts";
import { startMattermostSocket } from "./mattermost/mattermost-socket.ts";
import { mountSlack } from "./slack/slack-routes.ts";
import { startSlackSocket } from "./slack/slack-socket.ts";
import { mountTeams } from "./teams/teams-routes.ts";

export { chatPlatforms } from "./platforms.ts";

/** The webhooks of chat platforms, mounted at `/bot`. */
export function createBot(context: Context): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  mountSlack(app, context);
  mountDiscord(app, context);
  mountMattermost(app, context);
  mountTeams(app, context);
  return app;
}

/** Opens the connections to platforms that deliver messages over one instead of webhooks. */
export function startChatStreams(context: Context): { stop(): Promise<void> } {
  const streams = [
    startDiscordGateway(context),
    startSlackSocket(context),
    startMattermostSocket(context),
  ];
  return {
    stop: async () => {
      await Promise.all(streams.map((stream) => stream.stop()));
    },
  };
}
