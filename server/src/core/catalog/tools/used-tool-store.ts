import { sql } from "kysely";
import { isKeyReserved, isKeyReservedColumn } from "#core/kernel";
import type { KeyedRequest } from "#core/kernel";
import { queryCached } from "#db";
import type { Database, PreparedStatement, SqlValue, ToolTable } from "#db";
import { isTheirs } from "./tool-store.ts";
import type { Viewer } from "./tool-store.ts";

/** Columns for the hot path: the version that runs in the viewer's workspace, and the visibility. */
type UsedTool = Pick<ToolTable, "id" | "visibility" | "pinned_hash"> & { version: number };

export type UsedToolAndKey = { used: Readonly<UsedTool> | undefined; isKeyTaken: boolean };

const mark = sql.raw("?");

/** The rule as SQL text with the parameters workspace, user, workspace. */
function ruleText(db: Database): string {
  return isTheirs(mark, mark).compile(db.kysely).sql;
}

/** The version that a workspace uses: the live one of its own tools, the accepted one of installed tools. */
const usedVersionText = `case when tools.workspace_id = ? then tools.live_version else
  (select version from tool_installs where workspace_id = ? and tool_id = tools.id) end`;

type UsedStatements = { plain: PreparedStatement; withKey: PreparedStatement };

const statements = new WeakMap<Database, UsedStatements>();

function findUsed(db: Database): UsedStatements {
  const cached = statements.get(db);
  if (cached !== undefined) return cached;
  const columns = `id, ${usedVersionText} as version, visibility, pinned_hash`;
  const rest = `from tools where name = ? and ${ruleText(db)}`;
  const both = {
    plain: { name: "find_used_tool", text: `select ${columns} ${rest}` },
    withKey: {
      name: "find_used_tool_and_key",
      text: `select ${isKeyReservedColumn}, ${columns} ${rest}`,
    },
  };
  statements.set(db, both);
  return both;
}

/** The version of a tool that runs for the viewer; undefined if they may not run it. */
export async function findUsedTool(
  db: Database,
  viewer: Viewer,
  name: string,
): Promise<Readonly<UsedTool> | undefined> {
  const values = usedToolValues(viewer, name);
  const [found] = await queryCached<UsedTool>(db, findUsed(db).plain, values);
  return found;
}

function usedToolValues({ workspaceId, userId }: Viewer, name: string): SqlValue[] {
  return [workspaceId, workspaceId, name, workspaceId, userId, workspaceId];
}

/**
 * The same, and whether an Idempotency-Key has a record: in one round trip on PostgreSQL. On SQLite the tool usually comes from
 * memory.
 */
export async function findUsedToolAndKey(
  db: Database,
  viewer: Viewer,
  name: string,
  key: Pick<KeyedRequest, "recordId">,
): Promise<UsedToolAndKey> {
  if (db.dialect === "sqlite") {
    const [used, isKeyTaken] = await Promise.all([
      findUsedTool(db, viewer, name),
      isKeyReserved(db, key),
    ]);
    return { used, isKeyTaken };
  }
  type Row = UsedTool & { is_key_reserved: number };
  const values = [key.recordId, ...usedToolValues(viewer, name)];
  const [used] = await db.query<Row>(findUsed(db).withKey, values);
  return { used, isKeyTaken: used?.is_key_reserved === 1 };
}
