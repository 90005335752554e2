import type { CompiledQuery } from "kysely";
import type { AlwaysAllowedToolTable, Database, TransactionStep } from "#db";

type Permission = { workspaceId: string; userId: string; toolId: string };

export async function findAlwaysAllowed(
  { kysely }: Database,
  { workspaceId, userId, toolId }: Permission,
): Promise<AlwaysAllowedToolTable | undefined> {
  return kysely
    .selectFrom("always_allowed_tools")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("user_id", "=", userId)
    .where("tool_id", "=", toolId)
    .executeTakeFirst();
}

/** Writes a permission. Changes nothing if this version has it. */
export function putAlwaysAllowed(
  { kysely }: Database,
  row: AlwaysAllowedToolTable,
): TransactionStep {
  const { version, code_hash, needs, at } = row;
  const query = kysely
    .insertInto("always_allowed_tools")
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(["workspace_id", "user_id", "tool_id"])
        .doUpdateSet({ version, code_hash, needs, at })
        .where("always_allowed_tools.version", "<>", version),
    )
    .compile();
  return { query, mustChange: true };
}

export function deleteAlwaysAllowed(
  { kysely }: Database,
  { workspaceId, userId, toolId }: Permission,
): TransactionStep {
  const query = kysely
    .deleteFrom("always_allowed_tools")
    .where("workspace_id", "=", workspaceId)
    .where("user_id", "=", userId)
    .where("tool_id", "=", toolId)
    .compile();
  return { query, mustChange: true };
}

/** Deletes the permissions of all users of all workspaces. */
export function forgetAlwaysAllowed({ kysely }: Database, toolId: string): CompiledQuery {
  return kysely.deleteFrom("always_allowed_tools").where("tool_id", "=", toolId).compile();
}
