/** Message IDs that sort by time, as the service expects: Mattermost's own are random. */
export function toMessageId({
  id,
  create_at: createdAt,
}: {
  id: string;
  create_at: number;
}): string {
  return `${String(createdAt).padStart(15, "0")}.${id}`;
}

/** Mattermost's ID of a message, or of a thread. */
export function toPostId(messageId: string): string {
  return messageId.replace(/^\d{15}\./, "");
}
