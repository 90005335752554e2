import type { Database } from "#db";

/** The names of the author and the workspace of a tool; empty if deleted. */
export async function findPublisher(
  db: Database,
  { ownerUserId, workspaceId }: { ownerUserId: string; workspaceId: string },
): Promise<{ author: string; workspace: string }> {
  const [author, workspace] = await Promise.all([
    db.kysely.selectFrom("users").select("name").where("id", "=", ownerUserId).executeTakeFirst(),
    db.kysely
      .selectFrom("workspaces")
      .select("name")
      .where("id", "=", workspaceId)
      .executeTakeFirst(),
  ]);
  return { author: author?.name ?? "", workspace: workspace?.name ?? "" };
}

/** Removes bidirectional controls: the text is untrusted, and could reorder the words around it where users decide about the tool. */
export function removeBidiControls(text: string): string {
  return text.replaceAll(/\p{Bidi_Control}/gu, "");
}
