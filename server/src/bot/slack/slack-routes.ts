import type { Context as HonoContext, Hono } from "hono";
import { ServiceError } from "#core/kernel";
import type { Context } from "#core/context";
import { readBytes } from "#rest";
import type { Door } from "#rest";
import { createManifest } from "./manifest.ts";
import { takeEvent } from "./take-event.ts";
import { takeInteraction } from "./take-interaction.ts";
import { isSignedBySlack } from "./verify-signature.ts";

const maxBodyBytes = 1024 * 1024;

/** What Slack tells us, and what an app of Slack's is made from. */
export function mountSlack(door: Hono<Door>, context: Context): void {
  door.get("/slack/manifest", (c) => {
    c.set("route", "/bot/slack/manifest");
    return c.json(createManifest(context));
  });
  door.post("/slack/events", async (c) => {
    c.set("route", "/bot/slack/events");
    return takeEvent(context, (await readSigned(context, c)).toString());
  });
  door.post("/slack/interactions", async (c) => {
    c.set("route", "/bot/slack/interactions");
    return takeInteraction(context, (await readSigned(context, c)).toString());
  });
}

/** The bytes of a request that Slack signed. Throws `not_found` where it is not set up, and `unauthenticated`. */
async function readSigned(context: Context, c: HonoContext<Door>): Promise<Buffer> {
  const { SLACK_SIGNING_SECRET: signingSecret } = context.config;
  if (signingSecret === undefined || !context.chat.platforms.has("slack")) {
    throw new ServiceError("not_found", "This server is not set up for Slack.");
  }
  const body = Buffer.from(await readBytes(c.req.raw, maxBodyBytes));
  // The time of the machine: Slack's requests know nothing of the clock that our nodes share.
  if (isSignedBySlack(c.req.raw.headers, body, { signingSecret, now: Date.now() })) return body;
  throw new ServiceError("unauthenticated", "The request is not signed by Slack, or is too old.");
}
