import { sql } from "kysely";
import type { Database } from "#db";
import type { RunViewer } from "./run-visibility.ts";

/** The workspace's tools whose title the viewer may know, archived ones included, at their live version. */
export function ownTitles({ workspaceId, userId }: RunViewer) {
  return sql`tools join tool_versions as live
    on live.tool_id = tools.id and live.version = tools.live_version
    where tools.workspace_id = ${workspaceId}
      and (tools.visibility <> 'private' or tools.owner_user_id = ${userId})`;
}

/** The versions of other workspaces' tools that this workspace installed. */
export function installedTitles({ workspaceId }: Pick<RunViewer, "workspaceId">) {
  return sql`tool_installs as installed join tool_versions as used
    on used.tool_id = installed.tool_id and used.version = installed.version
    where installed.workspace_id = ${workspaceId}`;
}

/** The titles of tools by name, of those whose title the viewer may know. */
export async function findToolTitles(
  db: Database,
  viewer: RunViewer,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (names.length === 0) return new Map();
  const listed = sql.join([...new Set(names)]);
  const { rows } = await sql<{ name: string; title: string }>`
    select tools.name, live.title from ${ownTitles(viewer)} and tools.name in (${listed})
    union all
    select (select name from tools where id = installed.tool_id) as name, used.title
      from ${installedTitles(viewer)}
      and installed.tool_id in (select id from tools where name in (${listed}))`.execute(db.kysely);
  return new Map(rows.map(({ name, title }) => [name, title]));
}
