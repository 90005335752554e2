import { sql } from "kysely";
import { isRunVisible } from "#core/kernel";
import type { RunViewer } from "#core/kernel";
import type { Database, RunTable } from "#db";
import { indexRange } from "#db";
import { idFloor } from "#lib/ids";

type FailedRun = Pick<RunTable, "id" | "tool_name" | "error">;

/** The newest failed run of each of these tools that the viewer may see: one index range per tool. */
export async function findLastFailures(
  db: Database,
  viewer: RunViewer,
  { toolNames, since }: { toolNames: readonly string[]; since: number },
): Promise<Map<string, FailedRun>> {
  if (toolNames.length === 0) return new Map();
  const ranges = toolNames.map((tool_name) => {
    const columns = { workspace_id: viewer.workspaceId, tool_name, status: "failed" };
    const { isWithin, newestFirst } = indexRange(db, { columns, from: idFloor(since) });
    return sql`select * from (
      select id, tool_name, error from runs
      where ${isWithin} and status in ('failed', 'cancelled') and draft_id is null
        and ${isRunVisible(viewer)}
      order by ${newestFirst} limit 1) as newest`;
  });
  const { rows } = await sql<FailedRun>`${sql.join(ranges, sql` union all `)}`.execute(db.kysely);
  return new Map(rows.map((row) => [row.tool_name, row]));
}

/** What a key or a connected app is called, and whose it is. */
type ClientName = { id: string; name: string; user_id: string };

/** The API keys and connected apps of a workspace with these IDs. */
export async function findClientNames(
  { kysely }: Database,
  workspaceId: string,
  ids: readonly string[],
): Promise<ClientName[]> {
  if (ids.length === 0) return [];
  return kysely
    .selectFrom("api_keys")
    .select(["id", "name", "user_id"])
    .where("workspace_id", "=", workspaceId)
    .where("id", "in", ids)
    .unionAll(
      kysely
        .selectFrom("oauth_grants")
        .select(["id", "client_name as name", "user_id"])
        .where("workspace_id", "=", workspaceId)
        .where("id", "in", ids),
    )
    .execute();
}
