import type { CompiledQuery } from "kysely";
import type { Database, DraftVersionTable } from "#db";

/** The latest build of a draft. */
export async function findNewestBuild(
  db: Database,
  draftId: string,
): Promise<DraftVersionTable | undefined> {
  return db.kysely
    .selectFrom("draft_versions")
    .selectAll()
    .where("draft_id", "=", draftId)
    .orderBy("version", "desc")
    .limit(1)
    .executeTakeFirst();
}

export async function findDraftBuild(
  db: Database,
  draftId: string,
  version: number,
): Promise<DraftVersionTable | undefined> {
  return db.kysely
    .selectFrom("draft_versions")
    .selectAll()
    .where("draft_id", "=", draftId)
    .where("version", "=", version)
    .executeTakeFirst();
}

/** Inserts a build; changes nothing if another request created this version concurrently. */
export function insertBuild(db: Database, row: DraftVersionTable): CompiledQuery {
  return db.kysely
    .insertInto("draft_versions")
    .values(row)
    .onConflict((conflict) => conflict.columns(["draft_id", "version"]).doNothing())
    .compile();
}

/** Marks a build as used; changes nothing if it was deleted. */
export function touchBuild(
  db: Database,
  { draft_id, version }: Pick<DraftVersionTable, "draft_id" | "version">,
  now: number,
): CompiledQuery {
  return db.kysely
    .updateTable("draft_versions")
    .set({ used_at: now })
    .where("draft_id", "=", draft_id)
    .where("version", "=", version)
    .compile();
}
