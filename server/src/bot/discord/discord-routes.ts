import type { Context as HonoContext, Hono } from "hono";
import { chatCallbackUrl } from "#core/chat";
import type { Context } from "#core/context";
import { ServiceError } from "#core/kernel";
import { readBytes } from "#rest";
import type { AppEnv } from "#rest";
import { commands } from "./commands.ts";
import { botPermissions, botScopes } from "./discord-platform.ts";
import { handleInteraction } from "./handle-interaction.ts";
import { isSignedByDiscord, readPublicKey } from "./verify-signature.ts";

const maxBodyBytes = 1024 * 1024;

/** The interactions endpoint, and the settings of the Discord application of this server. */
export function mountDiscord(app: Hono<AppEnv>, context: Context): void {
  app.get("/discord/manifest", (c) => {
    c.set("route", "/bot/discord/manifest");
    return c.json(createManifest(context));
  });
  app.post("/discord/interactions", async (c) => {
    c.set("route", "/bot/discord/interactions");
    return handleInteraction(context, (await readSigned(context, c)).toString());
  });
}

/** Discord imports no manifest, so this is for the operator who sets up the application by hand. */
function createManifest(context: Context): object {
  return {
    interactions_endpoint_url: `${context.config.baseUrl}/bot/discord/interactions`,
    redirect_uris: [chatCallbackUrl(context, "discord")],
    scopes: botScopes,
    permissions: String(botPermissions),
    // Registered when a server is connected.
    commands,
  };
}

/** The body of a request that Discord signed. Throws `not_found` where Discord is not configured, and `unauthenticated`. */
async function readSigned(context: Context, c: HonoContext<AppEnv>): Promise<Buffer> {
  const { DISCORD_PUBLIC_KEY: key } = context.config;
  if (key === undefined || !context.chat.platforms.has("discord")) {
    throw new ServiceError(
      "not_found",
      "This server isn't configured for Discord. Ask its operator to set it up.",
    );
  }
  const body = Buffer.from(await readBytes(c.req.raw, maxBodyBytes));
  // Discord signs with real time, not with the clock that our nodes share.
  const expected = { publicKey: readPublicKey(key), now: Date.now() };
  if (isSignedByDiscord(c.req.raw.headers, body, expected)) return body;
  throw new ServiceError(
    "unauthenticated",
    "The request is not signed by Discord, or the signature has expired.",
  );
}
