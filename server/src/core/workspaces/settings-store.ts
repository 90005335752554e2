import { sql } from "kysely";
import type { CompiledQuery } from "kysely";
import { isFileVisible } from "#core/files";
import { isRunVisible } from "#core/kernel";
import type { RunViewer } from "#core/kernel";
import type { Database, WorkspaceTable } from "#db";
import { indexRange } from "#db";
import { idFloor } from "#lib/ids";

/** The settings that a workspace has changed. */
export type OwnSettings = Pick<
  WorkspaceTable,
  "run_retention_days" | "log_retention_days" | "agent_output_characters"
> & {
  auto_accept_updates: number;
  learn_from_searches: number;
};

export async function findOwnSettings(
  db: Database,
  workspaceId: string,
): Promise<OwnSettings | undefined> {
  return db.kysely
    .selectFrom("workspaces")
    .select([
      "run_retention_days",
      "log_retention_days",
      "auto_accept_updates",
      "agent_output_characters",
      "learn_from_searches",
    ])
    .where("id", "=", workspaceId)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
}

/** Updates the settings of a workspace. Changes nothing if it is deleted. */
export function setOwnSettings(db: Database, workspaceId: string, set: OwnSettings): CompiledQuery {
  return db.kysely
    .updateTable("workspaces")
    .set(set)
    .where("id", "=", workspaceId)
    .where("deleted_at", "is", null)
    .compile();
}

/** Counting the runs of a day stops here. */
const maxCounted = 100_000;

/**
 * The current usage of a workspace, and its runs since a time. Counts only what the viewer may see, so that it does not
 * reveal the private tools of others; the limits count everything.
 */
export async function findUsage(
  db: Database,
  viewer: RunViewer,
  { since, now }: { since: number; now: number },
) {
  const { workspaceId } = viewer;
  const [runsToday, unfinished, tools, members, files, drafts] = await Promise.all([
    countRuns(db, viewer, since),
    countUnfinished(db, viewer),
    db.kysely
      .selectFrom("tools")
      .select((select) => select.fn.countAll<number>().as("count"))
      .where("workspace_id", "=", workspaceId)
      .where("archived_at", "is", null)
      .where(sql<boolean>`(visibility <> 'private' or owner_user_id = ${viewer.userId})`)
      .executeTakeFirstOrThrow(),
    db.kysely
      .selectFrom("members")
      .select((select) => select.fn.countAll<number>().as("count"))
      .where("workspace_id", "=", workspaceId)
      .executeTakeFirstOrThrow(),
    countFiles(db, viewer, now),
    db.kysely
      .selectFrom("drafts")
      .select((select) => select.fn.countAll<number>().as("count"))
      .where("user_id", "=", viewer.userId)
      .executeTakeFirstOrThrow(),
  ]);
  return {
    runsToday,
    runningRuns: unfinished.running,
    queuedRuns: unfinished.waiting,
    tools: tools.count,
    members: members.count,
    files: files.count,
    fileBytes: files.bytes,
    userDrafts: drafts.count,
  };
}

async function countRuns(db: Database, viewer: RunViewer, since: number): Promise<number> {
  const range = { columns: { workspace_id: viewer.workspaceId }, from: idFloor(since) };
  const runs = db.kysely
    .selectFrom("runs")
    .select("id")
    .where(indexRange(db, range).isWithin)
    .where(isRunVisible(viewer));
  const row = await db.kysely
    .selectFrom(runs.limit(maxCounted).as("today"))
    .select((select) => select.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return row.count;
}

async function countUnfinished(db: Database, viewer: RunViewer) {
  return db.kysely
    .selectFrom("runs")
    .select([
      sql<number>`coalesce(sum(1 - queued), 0)`.as("running"),
      sql<number>`coalesce(sum(queued), 0)`.as("waiting"),
    ])
    .where("workspace_id", "=", viewer.workspaceId)
    .where("status", "=", sql.lit("running"))
    .where(isRunVisible(viewer))
    .executeTakeFirstOrThrow();
}

async function countFiles(db: Database, viewer: RunViewer, now: number) {
  return db.kysely
    .selectFrom("files")
    .select([
      sql<number>`count(*)`.as("count"),
      sql<number>`cast(coalesce(sum(size), 0) as bigint)`.as("bytes"),
    ])
    .where("workspace_id", "=", viewer.workspaceId)
    .where("status", "=", "ready")
    .where("expires_at", ">", now)
    .where(isFileVisible(viewer))
    .executeTakeFirstOrThrow();
}
