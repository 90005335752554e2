import { Hono } from "hono";
import type { Context } from "#core/context";
import type { Door } from "#rest";
import { mountDiscord } from "./discord/discord-routes.ts";
import { startDiscordGateway } from "./discord/gateway/start-gateway.ts";
import { mountSlack } from "./slack/slack-routes.ts";

export { createChatPlatforms } from "./platforms.ts";

/** What chat platforms tell the service, to be mounted at `/bot`. */
export function createBot(context: Context): Hono<Door> {
  const door = new Hono<Door>();
  mountSlack(door, context);
  mountDiscord(door, context);
  return door;
}

/** Opens the connections by which platforms tell what is said, where they do not ask the service. */
export function startChatStreams(context: Context): { stop(): Promise<void> } {
  return startDiscordGateway(context);
}
