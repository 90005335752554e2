import type { Context as HonoContext, Hono } from "hono";
import { chatCallbackUrl } from "#core/chat";
import type { Context } from "#core/context";
import { ServiceError } from "#core/kernel";
import { readBytes } from "#rest";
import type { Door } from "#rest";
import { commands } from "./commands.ts";
import { botPermissions, botScopes } from "./discord-platform.ts";
import { takeInteraction } from "./take-interaction.ts";
import { isSignedByDiscord, readPublicKey } from "./verify-signature.ts";

const maxBodyBytes = 1024 * 1024;

/** What Discord tells us, and what is set there for an application of this server. */
export function mountDiscord(door: Hono<Door>, context: Context): void {
  door.get("/discord/manifest", (c) => {
    c.set("route", "/bot/discord/manifest");
    return c.json(createManifest(context));
  });
  door.post("/discord/interactions", async (c) => {
    c.set("route", "/bot/discord/interactions");
    return takeInteraction(context, (await readSigned(context, c)).toString());
  });
}

/** Discord makes no application from a file, so this is for the person who sets it up by hand. */
function createManifest(context: Context): object {
  return {
    interactions_endpoint_url: `${context.config.baseUrl}/bot/discord/interactions`,
    redirect_uris: [chatCallbackUrl(context, "discord")],
    scopes: botScopes,
    permissions: String(botPermissions),
    // They are registered when a server is connected.
    commands,
  };
}

/** The bytes of a request that Discord signed. Throws `not_found` where it is not set up, and `unauthenticated`. */
async function readSigned(context: Context, c: HonoContext<Door>): Promise<Buffer> {
  const { DISCORD_PUBLIC_KEY: key } = context.config;
  if (key === undefined || !context.chat.platforms.has("discord")) {
    throw new ServiceError("not_found", "This server is not set up for Discord.");
  }
  const body = Buffer.from(await readBytes(c.req.raw, maxBodyBytes));
  // The time of the machine: Discord's requests know nothing of the clock that our nodes share.
  const expected = { publicKey: readPublicKey(key), now: Date.now() };
  if (isSignedByDiscord(c.req.raw.headers, body, expected)) return body;
  throw new ServiceError("unauthenticated", "The request is not signed by Discord, or is too old.");
}
