import { sql } from "kysely";
import type { Database, ToolTable } from "#db";
import { visibleTools } from "./tool-store.ts";
import type { Viewer } from "./tool-store.ts";

/** Above the limit of tools of a workspace, so that one query can sort all of them. */
const maxTools = 5_000;
const maxDescription = 300;

/** A tool without its definition, which may be large. */
export type ToolSummaryRow = Pick<
  ToolTable,
  "id" | "name" | "workspace_id" | "owner_user_id" | "visibility" | "live_version"
> & { version: number; title: string; description: string; updated_at: number };

/** All tools that the viewer may see, newest first. */
export async function listToolSummaryRows(db: Database, viewer: Viewer): Promise<ToolSummaryRow[]> {
  return visibleTools(db, viewer)
    .clearSelect()
    .select([
      "tools.id",
      "tools.name",
      "tools.workspace_id",
      "tools.owner_user_id",
      "tools.visibility",
      "tools.live_version",
      "tool_versions.version",
      "tool_versions.title",
      sql<string>`substr(tool_versions.description, 1, ${sql.lit(maxDescription)})`.as(
        "description",
      ),
      sql<number>`coalesce(tool_installs.accepted_at, tools.updated_at)`.as("updated_at"),
    ])
    .orderBy("tools.id", "desc")
    .limit(maxTools)
    .execute();
}
