import { sql } from "kysely";
import type { DraftsContext } from "./context.ts";
import type { Database } from "#db";

const dayMs = 86_400_000;
/** Longer than any request takes from building a version to starting its run. */
const buildGraceMs = 3_600_000;

/**
 * Deletes at most `limit` drafts that were unused for `DRAFT_RETENTION_DAYS`, and superseded builds of drafts that no
 * run uses. Returns the number of deleted rows.
 */
export async function deleteUnusedDrafts(
  { db, config }: Pick<DraftsContext, "db" | "config">,
  now: number,
  limit: number,
): Promise<number> {
  const days = config.DRAFT_RETENTION_DAYS;
  const drafts = days === 0 ? 0 : await deleteDrafts(db, now - days * dayMs, limit);
  return drafts + (await deleteBuilds(db, now - buildGraceMs, limit));
}

async function deleteDrafts(db: Database, before: number, limit: number): Promise<number> {
  const { numDeletedRows } = await db.kysely
    .deleteFrom("drafts")
    .where("id", "in", (from) =>
      from
        .selectFrom("drafts")
        .select("id")
        .where("used_at", "<", before)
        .orderBy("used_at")
        .limit(limit),
    )
    // Checked again: the draft may have been used since the subquery ran.
    .where("used_at", "<", before)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

async function deleteBuilds(db: Database, before: number, limit: number): Promise<number> {
  const rows = await db.kysely
    .selectFrom("draft_versions as build")
    .select(["build.draft_id", "build.version"])
    .where("build.used_at", "<", before)
    .where(isSuperseded)
    .where(isIdle)
    .orderBy("build.used_at")
    .limit(limit)
    .execute();
  for (const { draft_id: draftId, version } of rows) {
    await db.kysely
      .deleteFrom("draft_versions as build")
      .where("build.draft_id", "=", draftId)
      .where("build.version", "=", version)
      .where("build.used_at", "<", before)
      .execute();
  }
  return rows.length;
}

const isSuperseded = sql<boolean>`(
  not exists (select 1 from drafts where drafts.id = build.draft_id)
  or exists (select 1 from draft_versions as later
    where later.draft_id = build.draft_id and later.version > build.version))`;

const isIdle = sql<boolean>`not exists (select 1 from runs where runs.status = 'running'
  and runs.tool_id = build.draft_id and runs.tool_version = build.version)`;
