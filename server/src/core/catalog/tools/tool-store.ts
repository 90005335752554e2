import { sql } from "kysely";
import type { CompiledQuery, RawBuilder } from "kysely";
import type { Caller } from "#core/kernel";
import { cancelBatchedRuns, hideUnfinishedRuns } from "#core/kernel";
import type { Database, ToolTable, ToolVersionTable, TransactionStep } from "#db";
import type { ToolRow } from "./tool.ts";

export type Viewer = Pick<Caller, "workspaceId" | "userId">;

/**
 * The single visibility rule: tools of the workspace, except other members' private tools, and installed public tools of
 * other workspaces. Archived tools are not visible.
 */
export function isTheirs(workspaceId: Sql, userId: Sql) {
  return sql<boolean>`tools.archived_at is null
    and ((${isOwn(workspaceId, userId)}) or (${isInstalled(workspaceId)}))`;
}

/** Tools of the workspace, except other members' private tools. */
export function isOwn(workspaceId: Sql, userId: Sql) {
  return sql<boolean>`tools.workspace_id = ${workspaceId}
    and (tools.visibility <> 'private' or tools.owner_user_id = ${userId})`;
}

/** Installed public tools. */
export function isInstalled(workspaceId: Sql) {
  return sql<boolean>`tools.visibility = 'public'
    and tools.id in (select tool_id from tool_installs where workspace_id = ${workspaceId})`;
}

type Sql = string | RawBuilder<unknown>;

const toolColumns = [
  "tools.id",
  "tools.workspace_id",
  "tools.owner_user_id",
  "tools.name",
  "tools.visibility",
  "tools.live_version",
  "tools.created_at",
  "tools.published_from",
  "tools.pinned_hash",
  "tool_versions.item_hash",
  "tool_versions.version",
  "tool_versions.title",
  "tool_versions.description",
  "tool_versions.definition",
] as const;

/** Tools at their live version, as authors and users who may install them see them. */
export function liveTools(db: Database) {
  return db.kysely
    .selectFrom("tools")
    .innerJoin("tool_versions", (join) =>
      join
        .onRef("tool_versions.tool_id", "=", "tools.id")
        .onRef("tool_versions.version", "=", "tools.live_version"),
    )
    .select([...toolColumns, "tools.updated_at"]);
}

/** Tools at the version that a workspace uses. An installed tool counts as updated when that version was accepted. */
export function usedTools(db: Database, workspaceId: string) {
  return db.kysely
    .selectFrom("tools")
    .leftJoin("tool_installs", (join) =>
      join
        .onRef("tool_installs.tool_id", "=", "tools.id")
        .on("tool_installs.workspace_id", "=", workspaceId),
    )
    .innerJoin("tool_versions", (join) =>
      join
        .onRef("tool_versions.tool_id", "=", "tools.id")
        .on("tool_versions.version", "=", sql`coalesce(tool_installs.version, tools.live_version)`),
    )
    .select([
      ...toolColumns,
      sql<number>`coalesce(tool_installs.accepted_at, tools.updated_at)`.as("updated_at"),
    ]);
}

/** Tools that the viewer may see, at the version that their workspace uses. */
export function visibleTools(db: Database, viewer: Viewer) {
  return usedTools(db, viewer.workspaceId).where(isTheirs(viewer.workspaceId, viewer.userId));
}

/** A tool at the version that the viewer's workspace uses, if it is not archived and the viewer may see it. */
export async function findTool(
  db: Database,
  viewer: Viewer,
  name: string,
): Promise<(ToolRow & Pick<ToolVersionTable, "source">) | undefined> {
  return visibleTools(db, viewer)
    .select("tool_versions.source")
    .where("tools.name", "=", name)
    .executeTakeFirst();
}

/** The given names that belong to tools that the viewer may see. */
export async function keepVisibleNames(
  db: Database,
  viewer: Viewer,
  names: readonly string[],
): Promise<string[]> {
  if (names.length === 0) return [];
  const rows = await db.kysely
    .selectFrom("tools")
    .select("tools.name")
    .where("tools.name", "in", names)
    .where(isTheirs(viewer.workspaceId, viewer.userId))
    .execute();
  return rows.map(({ name }) => name);
}

/** Tools by ID, in any order. */
export async function findToolsById(
  db: Database,
  viewer: Viewer,
  ids: readonly string[],
): Promise<ToolRow[]> {
  if (ids.length === 0) return [];
  return visibleTools(db, viewer).where("tools.id", "in", ids).execute();
}

/** Tools of a workspace that changed after a revision, including archived ones, for the search index. */
export async function findChangedTools(
  db: Database,
  workspaceId: string,
  { after, limit }: { after: number; limit: number },
): Promise<(ToolRow & Pick<ToolTable, "archived_at" | "revision">)[]> {
  // No viewer: the index contains the tools of all members, and searches filter by viewer.
  return liveTools(db)
    .select(["tools.archived_at", "tools.revision"])
    .where("tools.workspace_id", "=", workspaceId)
    .where("tools.revision", ">", after)
    .orderBy("tools.revision")
    .limit(limit)
    .execute();
}

export async function findVersion(
  db: Database,
  toolId: string,
  version: number,
): Promise<ToolVersionTable | undefined> {
  return db.kysely
    .selectFrom("tool_versions")
    .selectAll()
    .where("tool_id", "=", toolId)
    .where("version", "=", version)
    .executeTakeFirst();
}

/** Increments the revision of the workspace's tools. Must precede the step that writes the change. */
export function countChange(db: Database, workspaceId: string): CompiledQuery {
  return db.kysely
    .updateTable("workspaces")
    .set({ tools_revision: sql<number>`tools_revision + 1` })
    .where("id", "=", workspaceId)
    .compile();
}

/** The revision of the workspace's tools that `countChange` counted. */
export function currentRevision(workspaceId: string) {
  return sql<number>`(select tools_revision from workspaces where id = ${workspaceId})`;
}

export function insertTool(
  db: Database,
  row: Omit<ToolTable, "archived_by" | "revision">,
): CompiledQuery {
  return db.kysely
    .insertInto("tools")
    .values({ ...row, archived_by: null, revision: currentRevision(row.workspace_id) })
    .compile();
}

type Change = {
  toolId: string;
  workspaceId: string;
  /** The live version that the change is based on. */
  from: number;
  set: Partial<
    Pick<
      ToolTable,
      "live_version" | "visibility" | "archived_at" | "archived_by" | "published_from"
    >
  > & {
    updated_at: number;
  };
};

/**
 * Changes a tool that is not archived and still at the given version; the transaction rolls back otherwise. Unfinished
 * runs of a tool that becomes private become private too.
 */
export function changeTool(db: Database, change: Change): TransactionStep[] {
  const query = db.kysely
    .updateTable("tools")
    .set({ ...change.set, revision: currentRevision(change.workspaceId) })
    .where("id", "=", change.toolId)
    .where("workspace_id", "=", change.workspaceId)
    .where("live_version", "=", change.from)
    .where("archived_at", "is", null)
    .compile();
  const { toolId, workspaceId, set } = change;
  const isArchived = set.archived_at !== undefined;
  return [
    countChange(db, workspaceId),
    { query, mustChange: true },
    ...(set.visibility === "private" ? hideUnfinishedRuns(db, { toolId, workspaceId }) : []),
    ...(isArchived || set.visibility === "private"
      ? [cancelBatchedRuns(db, toolId, { isArchived })]
      : []),
  ];
}

/** The hash that versions of a tool must have to run, and that of one version. */
export async function findPinned(
  { kysely }: Database,
  { id, version }: { id: string; version: number },
): Promise<{ pinned_hash: string | null; item_hash: string | null } | undefined> {
  return kysely
    .selectFrom("tools")
    .innerJoin("tool_versions", "tool_versions.tool_id", "tools.id")
    .select(["tools.pinned_hash", "tool_versions.item_hash"])
    .where("tools.id", "=", id)
    .where("tool_versions.version", "=", version)
    .executeTakeFirst();
}
