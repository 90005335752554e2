import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { installedTitles, ownTitles } from "#core/kernel";
import type { Database, RunTable } from "#db";

type Viewer = { workspaceId: string; userId: string };

function ownDrafts({ workspaceId, userId }: Viewer) {
  return sql`drafts where workspace_id = ${workspaceId} and user_id = ${userId}`;
}

/** Whether a run is of a tool or draft whose title today matches a pattern of `like`, in lower case. */
export function isTitleLike(viewer: Viewer, pattern: string): RawBuilder<boolean> {
  const matches = (title: string) => sql`lower(${sql.ref(title)}) like ${pattern} escape '\\'`;
  return sql<boolean>`(tool_id in (
      select tools.id from ${ownTitles(viewer)} and ${matches("live.title")}
      union all
      select installed.tool_id from ${installedTitles(viewer)} and ${matches("used.title")})
    or draft_id in (
      select id from ${ownDrafts(viewer)} and ${matches("title")}
      union all
      select tools.draft_id from ${ownTitles(viewer)} and tools.draft_id is not null
        and ${matches("live.title")}))`;
}

function list(values: readonly string[]) {
  return sql.join([...new Set(values)]);
}

/**
 * The titles of runs by run ID: of the draft, of the tool that it was published as, or of the tool. Runs of tools that the viewer
 * can no longer see have none, because a title that was changed since can be private.
 */
export async function findRunTitles(
  db: Database,
  viewer: Viewer,
  runs: readonly Pick<RunTable, "id" | "tool_id" | "tool_name" | "draft_id">[],
): Promise<ReadonlyMap<string, string>> {
  if (runs.length === 0) return new Map();
  const draftIds = runs.flatMap(({ draft_id: id }) => id ?? []);
  const names = list(runs.map(({ tool_name: name }) => name));
  const ids = list(runs.map(({ tool_id: id }) => id));
  const drafts = list(draftIds.length === 0 ? [""] : draftIds);
  const { rows } = await sql<{ key: string; title: string }>`
    select 'tool ' || tools.name as key, live.title from ${ownTitles(viewer)} and tools.name in (${names})
    union all
    select 'draft ' || tools.draft_id as key, live.title from ${ownTitles(viewer)}
      and tools.draft_id in (${drafts})
    union all
    select 'id ' || installed.tool_id as key, used.title from ${installedTitles(viewer)}
      and installed.tool_id in (${ids})
    union all
    select 'draft ' || id as key, title from ${ownDrafts(viewer)} and id in (${drafts})`.execute(
    db.kysely,
  );
  const titles = new Map(rows.map(({ key, title }) => [key, title]));
  const titleOf = (run: (typeof runs)[number]) =>
    (run.draft_id === null ? undefined : titles.get(`draft ${run.draft_id}`)) ??
    titles.get(`tool ${run.tool_name}`) ??
    titles.get(`id ${run.tool_id}`);
  return new Map(
    runs.flatMap((run) => {
      const title = titleOf(run);
      return title === undefined ? [] : [[run.id, title] as const];
    }),
  );
}
