import type { Hono } from "hono";
import { z } from "zod";
import { chatCallbackUrl, ChatError, pressButton } from "#core/chat";
import type { ChatBlock } from "#core/chat";
import type { Context } from "#core/context";
import { ServiceError } from "#core/kernel";
import { parseJson } from "#lib/parse-json";
import { readBytes } from "#rest";
import type { AppEnv } from "#rest";
import { toMattermostMessage } from "./mattermost-message.ts";
import { toTeamId } from "./mattermost-platform.ts";
import { id } from "./mattermost-post.ts";
import { isSignedPress } from "./press-signature.ts";

const maxBodyBytes = 100_000;

const press = z.object({
  user_id: id,
  channel_id: id,
  context: z.object({
    questionId: z.string().max(100),
    choice: z.string().max(100),
    signature: z.string().max(100),
  }),
});

/** The endpoint of buttons, and what the operator enters in Mattermost. */
export function mountMattermost(app: Hono<AppEnv>, context: Context): void {
  app.get("/mattermost/manifest", (c) => {
    c.set("route", "/bot/mattermost/manifest");
    return c.json({
      oauth_app: { callback_urls: [chatCallbackUrl(context, "mattermost")], is_trusted: false },
      bot_account: { username: "toolhost", role: "Member" },
      allowed_untrusted_internal_connections: new URL(context.config.baseUrl).hostname,
    });
  });
  app.post("/mattermost/actions", async (c) => {
    c.set("route", "/bot/mattermost/actions");
    const body = Buffer.from(await readBytes(c.req.raw, maxBodyBytes)).toString();
    return c.json(await handlePress(context, body));
  });
}

/** Handles a button press, and returns what Mattermost shows to the person alone in the channel. */
async function handlePress(context: Context, body: string): Promise<{ ephemeral_text?: string }> {
  const { MATTERMOST_BOT_TOKEN: botToken, MATTERMOST_URL: serverUrl } = context.config;
  if (botToken === undefined || serverUrl === undefined) {
    throw new ServiceError(
      "not_found",
      "This server isn't configured for Mattermost. Ask its operator to set it up.",
    );
  }
  const pressed = press.safeParse(parseJson(body));
  if (!pressed.success) throw new ServiceError("invalid_request", "Invalid Mattermost action.");
  const { user_id: chatUserId, channel_id: channel, context: given } = pressed.data;
  if (!isSignedPress(botToken, given)) {
    throw new ServiceError("unauthenticated", "The request is not from a button of this service.");
  }
  const { questionId, choice } = given;
  const where = { teamId: toTeamId(serverUrl), channel, thread: "", triggerId: "" };
  const shown: { ephemeral_text?: string } = {};
  const respond = (blocks: readonly ChatBlock[]) => {
    const { baseUrl } = context.config;
    shown.ephemeral_text = toMattermostMessage({ baseUrl, botToken }, blocks).message;
  };
  try {
    const answered = { chatUserId, questionId, choice, respond };
    await pressButton(context, "mattermost", { ...where, ...answered });
  } catch (error) {
    if (!(error instanceof ChatError)) throw error;
    context.log.debug({ err: error }, "a button press could not be answered");
  }
  return shown;
}
