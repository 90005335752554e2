import { sql } from "kysely";
import type { CompiledQuery } from "kysely";
import type { Database, ToolVersionTable } from "#db";

export async function listVersions(
  db: Database,
  toolId: string,
  page: { limit: number; before: number | undefined },
): Promise<
  Omit<
    ToolVersionTable,
    "definition" | "source" | "bundle" | "source_map" | "vouched" | "size" | "item_hash"
  >[]
> {
  let query = db.kysely
    .selectFrom("tool_versions")
    .select([
      "id",
      "tool_id",
      "workspace_id",
      "version",
      "title",
      "description",
      "bundle_hash",
      "created_by",
      "created_at",
      "restored_from",
      "example_results",
    ])
    .where("tool_id", "=", toolId);
  if (page.before !== undefined) query = query.where("version", "<", page.before);
  return query.orderBy("version", "desc").limit(page.limit).execute();
}

/** Stores results of examples at the live version of a tool, or of the tool that was published first from a draft. */
export function saveVersionResults(
  db: Database,
  { workspaceId, toolId, draftId }: { workspaceId: string; toolId: string | null; draftId: string },
  results: string,
): CompiledQuery {
  const tool = db.kysely
    .selectFrom("tools")
    .where("workspace_id", "=", workspaceId)
    .where(toolId === null ? "draft_id" : "id", "=", toolId ?? draftId);
  return db.kysely
    .updateTable("tool_versions")
    .set({ example_results: results })
    .where("workspace_id", "=", workspaceId)
    .where("tool_id", "=", tool.select("id"))
    .where("version", "=", tool.select("live_version"))
    .compile();
}

export function insertVersion(db: Database, row: ToolVersionTable): CompiledQuery {
  return db.kysely.insertInto("tool_versions").values(row).compile();
}

/** Inserts the next version of a tool. Unless it was imported now, it is made from the same item as the one before. */
export function insertNextVersion(db: Database, row: ToolVersionTable): CompiledQuery {
  const { tool_id: toolId, version, item_hash: itemHash } = row;
  const before = sql<string | null>`(select before.item_hash from tool_versions as before
    where before.tool_id = ${toolId} and before.version = ${version - 1})`;
  return db.kysely
    .insertInto("tool_versions")
    .values({ ...row, item_hash: itemHash ?? before })
    .compile();
}
