import { z } from "zod";
import { isConnected } from "#core/chat";
import type { Context } from "#core/context";
import { ServiceError } from "#core/kernel";
import { threadTypes } from "./discord-thread.ts";
import { tell } from "./interaction.ts";
import type { Interaction } from "./interaction.ts";
import { takeCommand } from "./take-command.ts";
import { takeModal } from "./take-modal.ts";
import { takePress } from "./take-press.ts";

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
 * Takes an interaction of Discord's. The answer says that what has to be done is in the database, or that there is
 * nothing to do; Discord waits three seconds for it.
 */
export async function takeInteraction(context: Context, body: string): Promise<Response> {
  const parsed = interaction.safeParse(parseJson(body));
  if (!parsed.success || parsed.data.application_id !== context.config.DISCORD_APPLICATION_ID) {
    throw new ServiceError("invalid_request", "This is no interaction of our application.");
  }
  const { type } = parsed.data;
  if (type === 1) return Response.json({ type: 1 });
  const read = readInteraction(parsed.data);
  if (read === undefined) return tell("Ask me in a channel of a server.");
  if (!(await isConnected(context, "discord", read.teamId))) {
    return tell(
      "This server is not connected to a workspace. An admin of the workspace connects it there.",
    );
  }
  if (type === 2) return takeCommand(context, read);
  if (type === 3) return takePress(context, read);
  if (type === 5) return takeModal(context, read);
  throw new ServiceError("invalid_request", "Nobody asked for this kind of interaction.");
}

/** Undefined outside of servers, where nobody's workspace is. */
function readInteraction(given: z.infer<typeof interaction>): Interaction | undefined {
  const { guild_id: teamId, channel_id: channel, member, token, data } = given;
  if (teamId === undefined || channel === undefined || member === undefined) return undefined;
  // In a thread, what was said there belongs together; in a channel, a command and its answer.
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
