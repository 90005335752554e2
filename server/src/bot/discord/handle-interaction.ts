import { z } from "zod";
import { isConnected } from "#core/chat";
import type { Context } from "#core/context";
import { ServiceError } from "#core/kernel";
import { threadTypes } from "./discord-thread.ts";
import { ephemeralResponse } from "./interaction.ts";
import type { Interaction } from "./interaction.ts";
import { handleCommand } from "./handle-command.ts";
import { handleModal } from "./handle-modal.ts";
import { handlePress } from "./handle-press.ts";
import { messages } from "./messages.ts";

const id = z.string().regex(/^\d{1,20}$/);

const interaction = z.object({
  type: z.number().int(),
  id,
  application_id: id,
  token: z.string().min(1).max(1_000),
  guild_id: id.optional(),
  channel_id: id.optional(),
  channel: z.object({ type: z.number().int() }).optional(),
  member: z.object({ user: z.object({ id }) }).optional(),
  data: z.unknown().optional(),
});

/**
 * Handles an interaction. The response acknowledges that the request is in the database or needs no action; Discord waits
 * three seconds for it.
 */
export async function handleInteraction(context: Context, body: string): Promise<Response> {
  const parsed = interaction.safeParse(parseJson(body));
  if (!parsed.success || parsed.data.application_id !== context.config.DISCORD_APPLICATION_ID) {
    throw new ServiceError("invalid_request", "The interaction belongs to another application.");
  }
  const { type } = parsed.data;
  if (type === 1) return Response.json({ type: 1 });
  const read = readInteraction(parsed.data);
  if (read === undefined) return ephemeralResponse(messages.askInServer);
  if (!(await isConnected(context, "discord", read.teamId))) {
    return ephemeralResponse(messages.notConnected);
  }
  if (type === 2) return handleCommand(context, read);
  if (type === 3) return handlePress(context, read);
  if (type === 5) return handleModal(context, read);
  throw new ServiceError("invalid_request", "Unsupported interaction type.");
}

/** Undefined outside of servers. */
function readInteraction(given: z.infer<typeof interaction>): Interaction | undefined {
  const { guild_id: teamId, channel_id: channel, member, token, data } = given;
  if (teamId === undefined || channel === undefined || member === undefined) return undefined;
  // In a channel, each command has a separate thread reference.
  const isThread = threadTypes.has(given.channel?.type ?? 0);
  const threadRef = { channel, thread: isThread ? channel : given.id };
  return { id: given.id, token, teamId, chatUserId: member.user.id, threadRef, data };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
