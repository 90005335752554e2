import { sql } from "kysely";
import type { BridgeTable, Database, TransactionStep } from "#db";

/** The user of a bridge. */
export type BridgeUser = { workspaceId: string; userId: string };

/** In the column `url` of an import: the name of a bridge follows. */
export const bridgeScheme = "bridge:";

/** Replaces the bridge of this name, and makes the imports that use it due for a check. */
export function replaceBridge({ kysely }: Database, row: BridgeTable): TransactionStep[] {
  const { workspace_id: workspaceId, user_id: userId, name, seen_at: now } = row;
  return [
    kysely
      .insertInto("bridges")
      .values(row)
      .onConflict((conflict) =>
        conflict
          .columns(["workspace_id", "user_id", "name"])
          .doUpdateSet({ id: row.id, seen_at: now }),
      )
      .compile(),
    kysely
      .updateTable("imports")
      .set({ next_check_at: now })
      .where("workspace_id", "=", workspaceId)
      .where("user_id", "=", userId)
      .where("url", "=", `${bridgeScheme}${name}`)
      .where(sql<boolean>`(failures > 0 or checked_at < ${now - 60_000})`)
      .compile(),
  ];
}

export async function countBridges({ kysely }: Database, user: BridgeUser): Promise<number> {
  const { count } = await kysely
    .selectFrom("bridges")
    .select(sql<number>`cast(count(*) as integer)`.as("count"))
    .where("workspace_id", "=", user.workspaceId)
    .where("user_id", "=", user.userId)
    .executeTakeFirstOrThrow();
  return count;
}

export async function findBridge(
  { kysely }: Database,
  user: BridgeUser,
  name: string,
): Promise<Pick<BridgeTable, "id" | "seen_at"> | undefined> {
  return kysely
    .selectFrom("bridges")
    .select(["id", "seen_at"])
    .where("workspace_id", "=", user.workspaceId)
    .where("user_id", "=", user.userId)
    .where("name", "=", name)
    .executeTakeFirst();
}

/** Records when a bridge was seen. False if it was replaced or disconnected. */
export async function touchBridge(
  { kysely }: Database,
  user: BridgeUser,
  { id, seenAt }: { id: string; seenAt: number },
): Promise<boolean> {
  const { numUpdatedRows } = await kysely
    .updateTable("bridges")
    .set({ seen_at: seenAt })
    .where("id", "=", id)
    .where("workspace_id", "=", user.workspaceId)
    .where("user_id", "=", user.userId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Takes back when a bridge was seen, unless it was seen again. */
export async function restoreSeenAt(
  { kysely }: Database,
  id: string,
  { from, to }: { from: number; to: number },
): Promise<void> {
  await kysely
    .updateTable("bridges")
    .set({ seen_at: to })
    .where("id", "=", id)
    .where("seen_at", "=", from)
    .execute();
}

/** Whether a user has a bridge with this ID. */
export async function hasBridge(
  { kysely }: Database,
  user: BridgeUser,
  id: string,
): Promise<boolean> {
  const row = await kysely
    .selectFrom("bridges")
    .select("id")
    .where("id", "=", id)
    .where("workspace_id", "=", user.workspaceId)
    .where("user_id", "=", user.userId)
    .executeTakeFirst();
  return row !== undefined;
}

export function deleteBridge({ kysely }: Database, user: BridgeUser, id: string): TransactionStep {
  const query = kysely
    .deleteFrom("bridges")
    .where("id", "=", id)
    .where("workspace_id", "=", user.workspaceId)
    .where("user_id", "=", user.userId)
    .compile();
  return { query, mustChange: true };
}

/** Deletes bridges that were not seen for long. */
export async function deleteUnseenBridges({ kysely }: Database, before: number): Promise<void> {
  await kysely.deleteFrom("bridges").where("seen_at", "<", before).execute();
}

/** The bridge that a tool may call, and the only name that it may call there. */
export type BridgeLink = BridgeUser & { bridgeName: string; toolName: string };

/** Undefined for a tool that was not made from an import of a bridge, or that others than its user may see or own. */
export async function findBridgeLink(
  { kysely }: Database,
  { id, workspaceId }: { id: string; workspaceId: string },
): Promise<BridgeLink | undefined> {
  const row = await kysely
    .selectFrom("tool_imports")
    .innerJoin("imports", "imports.id", "tool_imports.import_id")
    .innerJoin("tools", "tools.id", "tool_imports.tool_id")
    .select(["imports.url", "imports.user_id", "imports.workspace_id", "tool_imports.item_key"])
    .where("tool_imports.tool_id", "=", id)
    .where("imports.workspace_id", "=", workspaceId)
    // Others could change the code of a tool that they see, and so what it does for the user of the bridge.
    .where("tools.visibility", "=", "private")
    .whereRef("tools.owner_user_id", "=", "imports.user_id")
    .executeTakeFirst();
  if (row === undefined || row.url === null || !row.url.startsWith(bridgeScheme)) return undefined;
  const { workspace_id, user_id: userId, item_key: toolName } = row;
  const bridgeName = row.url.slice(bridgeScheme.length);
  return { workspaceId: workspace_id, userId, bridgeName, toolName };
}
