import { sql } from "kysely";
import type { CompiledQuery } from "kysely";
import type { Database, PreparedStatement } from "#db";
import { mentions } from "./tool-list-store.ts";
import { liveTools } from "./tool-store.ts";
import type { Viewer } from "./tool-store.ts";
import type { ToolRow } from "./tool.ts";

/** A tool of the catalog, and whether the viewer's workspace has installed it. */
export type CatalogRow = ToolRow & { is_installed: number };

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
      .select(
        sql<number>`(select count(*) from tool_installs
          where tool_id = tools.id and workspace_id = ${workspaceId})`.as("is_installed"),
      )
      // Said word for word as its index has it.
      .where("tools.visibility", "=", sql.lit("public"))
      .where("tools.archived_at", "is", null)
  );
}

/** Whether a workspace has installed a tool, whatever has become of it. */
export async function findInstall(
  db: Database,
  { workspaceId }: Viewer,
  name: string,
): Promise<{ tool_id: string } | undefined> {
  return db.kysely
    .selectFrom("tool_installs")
    .innerJoin("tools", "tools.id", "tool_installs.tool_id")
    .select("tool_id")
    .where("tool_installs.workspace_id", "=", workspaceId)
    .where("tools.name", "=", name)
    .executeTakeFirst();
}

/** Installs a tool; nothing happens when it is there already. */
export function insertInstall(
  db: Database,
  row: { workspace_id: string; tool_id: string; installed_by: string; created_at: number },
): CompiledQuery {
  return db.kysely
    .insertInto("tool_installs")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .compile();
}

export function deleteInstall(
  db: Database,
  { workspaceId }: Viewer,
  toolId: string,
): CompiledQuery {
  return db.kysely
    .deleteFrom("tool_installs")
    .where("workspace_id", "=", workspaceId)
    .where("tool_id", "=", toolId)
    .compile();
}

/** Tools of other workspaces that a workspace may use, for its search index. */
export async function findInstalledTools(db: Database, workspaceId: string): Promise<ToolRow[]> {
  return liveTools(db)
    .innerJoin("tool_installs", "tool_installs.tool_id", "tools.id")
    .where("tool_installs.workspace_id", "=", workspaceId)
    .where("tools.workspace_id", "<>", workspaceId)
    .where("tools.visibility", "=", "public")
    .where("tools.archived_at", "is", null)
    .execute();
}

const findRevisions: PreparedStatement = {
  name: "find_tools_revisions",
  text: `select w.tools_revision as own,
      (select count(*) || ' ' || coalesce(sum(t.live_version), 0) from tool_installs i
        join tools t on t.id = i.tool_id
        where i.workspace_id = w.id and t.visibility = 'public' and t.archived_at is null) as installed
    from workspaces w where w.id = ?`,
};

/**
 * What a search index compares to know whether it is behind: the count of changes of the workspace's own tools, and
 * a mark of the installed ones.
 */
export async function findToolsRevisions(
  db: Database,
  workspaceId: string,
): Promise<{ own: number; installed: string }> {
  const [row] = await db.query<{ own: number; installed: string }>(findRevisions, [workspaceId]);
  return row ?? { own: 0, installed: "" };
}
