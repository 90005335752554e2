import { z } from "zod";
import type { ChatFile } from "#core/chat";

export const id = z.string().regex(/^[a-z0-9]{26}$/);

const file = z.object({
  id,
  name: z.string().catch("file"),
  mime_type: z.string().catch("application/octet-stream"),
  size: z.number().nonnegative(),
});

/** A message as Mattermost describes it. */
export const post = z.object({
  id,
  create_at: z.number(),
  delete_at: z.number().default(0),
  user_id: id,
  channel_id: id,
  root_id: z.string().default(""),
  message: z.string().default(""),
  type: z.string().default(""),
  props: z.record(z.string(), z.unknown()).nullish(),
  metadata: z.object({ files: z.array(file).nullish() }).nullish(),
});
export type Post = z.infer<typeof post>;

export function toChatFiles({ metadata }: Post): ChatFile[] {
  return (metadata?.files ?? []).map(({ id: fileId, name, mime_type: mimeType, size }) => ({
    id: fileId,
    name: name.slice(0, 255),
    mimeType: mimeType.slice(0, 255),
    size,
  }));
}

/** Message IDs that sort by time, as the service expects: Mattermost's own are random. */
export function toMessageId(given: Pick<Post, "id" | "create_at">): string {
  return `${String(given.create_at).padStart(15, "0")}.${given.id}`;
}

/** Mattermost's ID of a message, or of a thread. */
export function toPostId(messageId: string): string {
  return messageId.replace(/^\d{15}\./, "");
}
