import type { Database } from "#db";

/** The names of the person and the workspace that made a tool; empty for those that are gone. */
export async function findOrigin(
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

/** Without what shows the words around it in another order: its author chose it, and others decide by it. */
export function inReadingOrder(text: string): string {
  return text.replaceAll(/\p{Bidi_Control}/gu, "");
}
