import type { Context as HonoContext, Hono } from "hono";
import { ServiceError } from "#core/kernel";
import type { Context } from "#core/context";
import { parseJson } from "#lib/parse-json";
import { readBytes } from "#rest";
import type { AppEnv } from "#rest";
import { createManifest } from "./manifest.ts";
import { handleCommand } from "./handle-command.ts";
import { handleEvent } from "./handle-event.ts";
import { handleInteraction } from "./handle-interaction.ts";
import { isSignedBySlack } from "./verify-signature.ts";

const maxBodyBytes = 1024 * 1024;

/** The webhooks of Slack, and the manifest of the app. */
export function mountSlack(app: Hono<AppEnv>, context: Context): void {
  app.get("/slack/manifest", (c) => {
    c.set("route", "/bot/slack/manifest");
    // A manifest without Socket Mode would turn it off in an app that uses it.
    const isSocketMode = context.config.SLACK_APP_TOKEN !== undefined;
    const mode = c.req.query("mode") ?? (isSocketMode ? "socket" : "webhook");
    return c.json(createManifest(context, mode === "socket"));
  });
  app.post("/slack/events", async (c) => {
    c.set("route", "/bot/slack/events");
    return handleEvent(context, parseJson((await readSigned(context, c)).toString()));
  });
  app.post("/slack/interactions", async (c) => {
    c.set("route", "/bot/slack/interactions");
    const body = (await readSigned(context, c)).toString();
    return handleInteraction(context, parseJson(new URLSearchParams(body).get("payload") ?? ""));
  });
  app.post("/slack/commands", async (c) => {
    c.set("route", "/bot/slack/commands");
    const body = (await readSigned(context, c)).toString();
    return handleCommand(context, Object.fromEntries(new URLSearchParams(body)));
  });
}

/** The body of a request that Slack signed. Throws `not_found` where Slack is not configured, and `unauthenticated`. */
async function readSigned(context: Context, c: HonoContext<AppEnv>): Promise<Buffer> {
  const { SLACK_SIGNING_SECRET: signingSecret } = context.config;
  if (signingSecret === undefined || !context.chat.platforms.has("slack")) {
    throw new ServiceError(
      "not_found",
      "This server isn't configured for Slack. Ask its operator to set it up.",
    );
  }
  const body = Buffer.from(await readBytes(c.req.raw, maxBodyBytes));
  // Slack signs with real time, not with the clock that our nodes share.
  if (isSignedBySlack(c.req.raw.headers, body, { signingSecret, now: Date.now() })) return body;
  throw new ServiceError(
    "unauthenticated",
    "The request is not signed by Slack, or the signature has expired.",
  );
}
