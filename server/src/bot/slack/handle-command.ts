import { z } from "zod";
import { receiveCommand } from "#core/chat";
import type { Context } from "#core/context";
import { ServiceError } from "#core/kernel";
import { sha256 } from "#lib/hash";
import { writePrivateThread } from "./private-thread.ts";
import { escapeSlack, readSlackText } from "./slack-text.ts";

const id = z.string().min(1).max(100);

/** A slash command. Its name is chosen in the manifest of the app. */
const command = z.object({
  team_id: id,
  channel_id: id,
  user_id: id,
  text: z.string().max(10_000).default(""),
  response_url: z.string().max(1_000),
  trigger_id: z.string().min(1).max(300),
  is_enterprise_install: z.union([z.string(), z.boolean()]).optional(),
});

/**
 * Handles a slash command, which works like a mention, except that only the person sees the answers. The request is in
 * the database before it is acknowledged.
 */
export async function handleCommand(context: Context, fields: unknown): Promise<Response> {
  const parsed = command.safeParse(fields);
  if (!parsed.success) throw new ServiceError("invalid_request", "Invalid Slack command.");
  const given = parsed.data;
  // An organization-wide install covers teams that did not agree to it.
  if (String(given.is_enterprise_install) === "true") return new Response(null);
  const requestId = sha256(given.trigger_id).slice(0, 32);
  const thread = writePrivateThread(given.user_id, requestId);
  const text = readSlackText(given.text, undefined);
  const answer = await receiveCommand(context, "slack", {
    teamId: given.team_id,
    channel: given.channel_id,
    thread,
    messageId: thread,
    chatUserId: given.user_id,
    eventId: `command:${requestId}`,
    text: text === "" ? "help" : text,
    files: [],
    hint: given.response_url,
  });
  return Response.json({ response_type: "ephemeral", text: escapeSlack(answer) });
}
