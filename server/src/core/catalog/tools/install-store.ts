import { sql } from "kysely";
import type { CompiledQuery } from "kysely";
import type { Database, PreparedStatement, ToolInstallTable, TransactionStep } from "#db";
import { mentions } from "./tool-list-store.ts";
import { liveTools, usedTools } from "./tool-store.ts";
import type { Viewer } from "./tool-store.ts";
import type { ToolRow } from "./tool.ts";

/** A public tool at its live version, its author, and the version that the viewer's workspace accepted, if installed. */
export type CatalogRow = ToolRow & {
  accepted_version: number | null;
  author: string | null;
  workspace: string | null;
};

/** Public tools of all workspaces, newest first. */
export async function listCatalog(
  db: Database,
  viewer: Viewer,
  page: { limit: number; after: string | undefined; text: string | undefined },
): Promise<CatalogRow[]> {
  let query = publicTools(db, viewer);
  if (page.after !== undefined) query = query.where("tools.id", "<", page.after);
  if (page.text !== undefined) query = query.where(mentions(page.text));
  return query.orderBy("tools.id", "desc").limit(page.limit).execute();
}

export async function findInCatalog(
  db: Database,
  viewer: Viewer,
  name: string,
): Promise<CatalogRow | undefined> {
  return publicTools(db, viewer).where("tools.name", "=", name).executeTakeFirst();
}

function publicTools(db: Database, { workspaceId }: Viewer) {
  return (
    liveTools(db)
      .select([
        sql<number | null>`(select version from tool_installs
          where tool_id = tools.id and workspace_id = ${workspaceId})`.as("accepted_version"),
        sql<string | null>`(select name from users where id = tools.owner_user_id)`.as("author"),
        sql<string | null>`(select name from workspaces where id = tools.workspace_id)`.as(
          "workspace",
        ),
      ])
      // A literal, so that the query matches its partial index.
      .where("tools.visibility", "=", sql.lit("public"))
      .where("tools.archived_at", "is", null)
  );
}

/** The installation of a tool, even if the tool is no longer available. */
export async function findInstall(
  db: Database,
  { workspaceId }: Viewer,
  name: string,
): Promise<ToolInstallTable | undefined> {
  return db.kysely
    .selectFrom("tool_installs")
    .innerJoin("tools", "tools.id", "tool_installs.tool_id")
    .selectAll("tool_installs")
    .where("tool_installs.workspace_id", "=", workspaceId)
    .where("tools.name", "=", name)
    .executeTakeFirst();
}

type NewInstall = Pick<
  ToolInstallTable,
  "workspace_id" | "tool_id" | "version" | "installed_by" | "created_at"
>;

/** The step that installs a tool at a version; the transaction rolls back if it is already installed. */
export function insertInstall(db: Database, row: NewInstall): TransactionStep {
  const { installed_by: accepted_by, created_at: accepted_at } = row;
  const query = db.kysely
    .insertInto("tool_installs")
    .values({ ...row, accepted_by, accepted_at })
    .onConflict((conflict) => conflict.doNothing())
    .compile();
  return { query, mustChange: true };
}

/** The step that uninstalls a tool; the transaction rolls back if it is not installed. */
export function deleteInstall(
  db: Database,
  { workspaceId }: Viewer,
  toolId: string,
): TransactionStep {
  const query = db.kysely
    .deleteFrom("tool_installs")
    .where("workspace_id", "=", workspaceId)
    .where("tool_id", "=", toolId)
    .compile();
  return { query, mustChange: true };
}

type Acceptance = {
  workspaceId: string;
  toolId: string;
  /** The accepted version before and after. */
  from: number;
  to: number;
  /** Null for an automatic update, which requires that the workspace setting still allows it. */
  by: string | null;
  at: number;
};

/** The step that accepts an update; the transaction rolls back if another version was accepted concurrently. */
export function acceptInstall(
  db: Database,
  { workspaceId, toolId, from, to, by, at }: Acceptance,
): TransactionStep {
  let query = db.kysely
    .updateTable("tool_installs")
    .set({ version: to, accepted_by: by, accepted_at: at })
    .where("workspace_id", "=", workspaceId)
    .where("tool_id", "=", toolId)
    .where("version", "=", from);
  if (by === null) {
    query = query.where(
      sql<boolean>`exists (select 1 from workspaces
        where id = ${workspaceId} and auto_accept_updates = 1 and deleted_at is null)`,
    );
  }
  return { query: query.compile(), mustChange: true };
}

/**
 * Increments the revision of a workspace's installations. Must precede the step that locks a tool, since saving a tool
 * locks these rows in the same order.
 */
export function countInstallChange(db: Database, workspaceId: string): CompiledQuery {
  return db.kysely
    .updateTable("workspaces")
    .set({ installs_revision: sql<number>`installs_revision + 1` })
    .where("id", "=", workspaceId)
    .compile();
}

/** An installed tool with a newer version, in a workspace with automatic updates. */
export type WaitingUpdate = Pick<ToolInstallTable, "workspace_id" | "tool_id" | "version"> & {
  home_id: string;
  name: string;
  live_version: number;
};

/** Updates that automatic acceptance has not considered yet, across all workspaces. */
export async function findWaitingUpdates(db: Database, limit: number): Promise<WaitingUpdate[]> {
  return (
    db.kysely
      .selectFrom("workspaces")
      .innerJoin("tool_installs", "tool_installs.workspace_id", "workspaces.id")
      .innerJoin("tools", "tools.id", "tool_installs.tool_id")
      .select([
        "tool_installs.workspace_id",
        "tool_installs.tool_id",
        "tool_installs.version",
        "tools.workspace_id as home_id",
        "tools.name",
        "tools.live_version",
      ])
      // A literal, so that the query matches its partial index.
      .where("workspaces.auto_accept_updates", "=", sql.lit(1))
      .where("workspaces.deleted_at", "is", null)
      .whereRef("tool_installs.version", "<>", "tools.live_version")
      .where(sql<boolean>`coalesce(tool_installs.considered_version, 0) <> tools.live_version`)
      .where("tools.visibility", "=", "public")
      .where("tools.archived_at", "is", null)
      .limit(limit)
      .execute()
  );
}

/** Marks an update as needing review. */
export async function leaveUpdate(db: Database, update: WaitingUpdate): Promise<void> {
  await db.kysely
    .updateTable("tool_installs")
    .set({ considered_version: update.live_version })
    .where("workspace_id", "=", update.workspace_id)
    .where("tool_id", "=", update.tool_id)
    .where("version", "=", update.version)
    .execute();
}

/** Whether some workspace has installed a row of `tool_versions`, which then must not be deleted. */
export const isPinned = sql<boolean>`exists (select 1 from tool_installs
  where tool_installs.tool_id = tool_versions.tool_id
    and tool_installs.version = tool_versions.version)`;

/** Installed tools of other workspaces with their versions, for the search index. */
export async function findInstalledVersions(
  db: Database,
  workspaceId: string,
): Promise<Map<string, number>> {
  const rows = await db.kysely
    .selectFrom("tool_installs")
    .innerJoin("tools", "tools.id", "tool_installs.tool_id")
    .select(["tools.id", "tool_installs.version"])
    .where("tool_installs.workspace_id", "=", workspaceId)
    .where("tools.workspace_id", "<>", workspaceId)
    .where("tools.visibility", "=", "public")
    .where("tools.archived_at", "is", null)
    .execute();
  return new Map(rows.map(({ id, version }) => [id, version]));
}

/** The given installed tools that the workspace may still use, with their definitions. */
export async function findInstalledTools(
  db: Database,
  workspaceId: string,
  ids: readonly string[],
): Promise<ToolRow[]> {
  return usedTools(db, workspaceId)
    .where("tool_installs.workspace_id", "=", workspaceId)
    .where("tools.id", "in", ids)
    .where("tools.visibility", "=", "public")
    .where("tools.archived_at", "is", null)
    .execute();
}

const findRevisions: PreparedStatement = {
  name: "find_tools_revisions",
  text: `select w.tools_revision as own, w.learn_from_searches as learns,
      w.installs_revision || ' ' || (select coalesce(sum(t.revision), 0) from tool_installs i
        join tools t on t.id = i.tool_id where i.workspace_id = w.id) as installed
    from workspaces w where w.id = ?`,
};

type Revisions = { own: number; installed: string; learns: number };

/**
 * The revisions by which a search index detects changes: a counter for the workspace's own tools, and an opaque value
 * that changes with the installed tools and their availability. Also whether the workspace learns from searches.
 */
export async function findToolsRevisions(db: Database, workspaceId: string): Promise<Revisions> {
  const [row] = await db.query<Revisions>(findRevisions, [workspaceId]);
  return row ?? { own: 0, installed: "", learns: 0 };
}
