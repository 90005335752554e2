import { sql } from "kysely";
import { othersPrivateTools } from "#core/kernel";
import type { RunViewer } from "#core/kernel";
import type { Database, RunTable } from "#db";
import { indexRange } from "#db";
import { idFloor } from "#lib/ids";
import { durationBucket } from "./durations.ts";

/** Runs with the same attributes, in a page of runs. */
export type RunGroup = Pick<
  RunTable,
  "workspace_id" | "tool_id" | "tool_name" | "user_id" | "via" | "actor" | "is_private" | "status"
> & {
  is_draft: number;
  /** Whether the viewer may see them. */
  is_visible: number;
  bucket: number | null;
  count: number;
  /** The newest of them. */
  last: string;
};

type Part = {
  /** Whose workspace is read; all workspaces if omitted. */
  viewer?: RunViewer;
  /** Creation times; the end is not included. */
  from: number;
  to: number;
};

/**
 * The runs that were created in a time, except those of drafts, in groups. A page of a limited number of runs is read at a time,
 * because the embedded database blocks the event loop.
 */
export async function* readRunGroups(db: Database, part: Part): AsyncGenerator<RunGroup[]> {
  const limit = db.dialect === "sqlite" ? 2_000 : 20_000;
  let after = idFloor(part.from);
  for (;;) {
    const groups = await readPage(db, part, { after, limit });
    yield groups.filter((group) => group.is_draft === 0);
    const scanned = groups.reduce((sum, { count }) => sum + count, 0);
    if (scanned < limit) return;
    const last = groups.reduce((newest, one) => (one.last > newest ? one.last : newest), "");
    // Sorts directly after this ID, and before all that follow.
    after = `${last}.`;
  }
}

async function readPage(
  db: Database,
  { viewer, to }: Part,
  { after, limit }: { after: string; limit: number },
): Promise<RunGroup[]> {
  const ids = { from: after, before: idFloor(to) };
  const { isWithin, oldestFirst } =
    viewer === undefined
      ? { isWithin: sql`id >= ${ids.from} and id < ${ids.before}`, oldestFirst: sql`id` }
      : indexRange(db, { columns: { workspace_id: viewer.workspaceId }, ...ids });
  const isVisible =
    viewer === undefined
      ? sql`1 = 1`
      : sql`(is_private = 0 or user_id = ${viewer.userId})
          and tool_id not in (${othersPrivateTools(viewer, "id")})`;
  const { rows } = await sql<RunGroup>`
    with page as materialized (
      select id, workspace_id, tool_id, tool_name, user_id, via, actor, is_private, status, draft_id,
        duration_ms
      from runs where ${isWithin} order by ${oldestFirst} limit ${sql.lit(limit)}
    )
    select workspace_id, tool_id, tool_name, user_id, via, actor, is_private, status,
      case when draft_id is null then 0 else 1 end as is_draft,
      case when ${isVisible} then 1 else 0 end as is_visible,
      case when status = 'cancelled' then null else ${durationBucket} end as bucket,
      cast(count(*) as integer) as count, max(id) as last
    from page as runs
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
  `.execute(db.kysely);
  return rows;
}
