import type { ToolOrigin } from "@toolhost/contract";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Database } from "#db";
import { isInstalled, isOwn, visibleTools } from "./tool-store.ts";
import type { Viewer } from "./tool-store.ts";
import type { ToolRow } from "./tool.ts";

type Page = { limit: number; after: string | undefined };

/**
 * The viewer's tools, newest first. `text` filters by name, title and description; `origin` by the viewer's own tools,
 * those of other members, and installed ones.
 */
export async function listTools(
  db: Database,
  viewer: Viewer,
  page: Page & { text: string | undefined; origin?: ToolOrigin | undefined },
): Promise<ToolRow[]> {
  return visibleTools(db, viewer)
    .where(isOnPage(kindsOf(viewer, page.origin), viewer, page))
    .orderBy("tools.id", "desc")
    .limit(page.limit)
    .execute();
}

/**
 * Whether a tool is on the first page of its kind. With the whole rule in one condition, the databases would scan all
 * tools instead of reading the index of each kind until a page is full.
 */
function isOnPage(
  kinds: readonly RawBuilder<boolean>[],
  { workspaceId }: Viewer,
  { after, limit, text }: Page & { text: string | undefined },
) {
  const before = after === undefined ? sql`` : sql`and tools.id < ${after}`;
  const used = sql`left join tool_installs
    on tool_installs.tool_id = tools.id and tool_installs.workspace_id = ${workspaceId}
    join tool_versions on tool_versions.tool_id = tools.id
      and tool_versions.version = coalesce(tool_installs.version, tools.live_version)`;
  const [joined, matches] =
    text === undefined ? [sql``, sql``] : [used, sql`and ${mentions(text)}`];
  const first = (rule: RawBuilder<boolean>) => sql`select id from (
    select tools.id from tools ${joined} where tools.archived_at is null and ${rule} ${matches} ${before}
    order by tools.id desc limit ${limit}) as page`;
  return sql<boolean>`tools.id in (${sql.join(kinds.map(first), sql` union all `)})`;
}

/** The conditions that the visibility rule consists of, or the one for an origin. */
function kindsOf({ workspaceId, userId }: Viewer, origin: ToolOrigin | undefined) {
  const own = isOwn(workspaceId, userId);
  const installed = isInstalled(workspaceId);
  const kinds = {
    mine: [sql<boolean>`(${own} and tools.owner_user_id = ${userId})`],
    shared: [sql<boolean>`(${own} and tools.owner_user_id <> ${userId})`],
    installed: [installed],
  };
  return origin === undefined ? [own, installed] : kinds[origin];
}

/** Matches tools by name, title or description. */
export function mentions(text: string) {
  const pattern = `%${text.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;
  const columns = ["tools.name", "tool_versions.title", "tool_versions.description"];
  const found = columns.map((column) => sql`lower(${sql.ref(column)}) like ${pattern} escape '\\'`);
  return sql<boolean>`(${sql.join(found, sql` or `)})`;
}
