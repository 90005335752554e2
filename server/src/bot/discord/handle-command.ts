import { z } from "zod";
import { receiveMessage } from "#core/chat";
import type { ChatFile, ChatMessage } from "#core/chat";
import type { Context } from "#core/context";
import { ServiceError } from "#core/kernel";
import { messageCommand, slashCommand } from "./commands.ts";
import { attachmentsById, readAttachments } from "./discord-files.ts";
import { askId, toAskModal } from "./ask-modal.ts";
import { writeHint } from "./interaction-hint.ts";
import type { Interaction } from "./interaction.ts";

const id = z.string().regex(/^\d{1,20}$/);

const slash = z.object({
  type: z.literal(1),
  name: z.literal(slashCommand),
  options: z.array(z.object({ name: z.string(), value: z.string().max(6_000) })).max(10),
  resolved: z.object({ attachments: attachmentsById.optional() }).optional(),
});

const pointed = z.object({
  type: z.literal(3),
  name: z.literal(messageCommand),
  target_id: id,
  resolved: z.object({
    messages: z.record(
      z.string(),
      z.object({ content: z.string().default(""), author: z.object({ id }) }),
    ),
  }),
});

/** Receives a typed command, or asks what to do with the message whose menu was used. */
export async function handleCommand(context: Context, given: Interaction): Promise<Response> {
  const typed = slash.safeParse(given.data);
  if (typed.success) {
    const { options, resolved } = typed.data;
    const text = options.find(({ name }) => name === "text")?.value ?? "";
    const ids = options.filter(({ name }) => name.startsWith("file")).map(({ value }) => value);
    const files = readAttachments(resolved?.attachments ?? {}, ids);
    return receive(context, given, { text: text.trim(), files });
  }
  const asked = pointed.safeParse(given.data);
  const target = asked.data?.resolved.messages[asked.data.target_id];
  if (asked.data === undefined || target === undefined) {
    throw new ServiceError("invalid_request", "Unknown command.");
  }
  const customId = askId({ messageId: asked.data.target_id, author: target.author.id });
  return Response.json({ type: 9, data: toAskModal(customId, target.content) });
}

type Request = { text: string; files: readonly ChatFile[]; about?: ChatMessage["about"] };

/** Puts a request into the inbox before it is acknowledged, after which Discord shows a placeholder. */
export async function receive(
  context: Context,
  { id: messageId, token, teamId, chatUserId, threadRef }: Interaction,
  { text, files, about }: Request,
): Promise<Response> {
  await receiveMessage(context, "discord", {
    ...threadRef,
    teamId,
    eventId: messageId,
    messageId,
    chatUserId,
    text,
    files,
    hint: writeHint({ kind: "command", id: messageId, token }),
    ...(about === undefined ? {} : { about }),
  });
  return Response.json({ type: 5 });
}
