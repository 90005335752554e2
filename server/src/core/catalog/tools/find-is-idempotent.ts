import type { Database } from "#db";
import { readDefinition } from "./tool.ts";

/** Whether a version is declared idempotent. */
export async function findIsIdempotent(
  db: Database,
  toolId: string,
  version: number,
): Promise<boolean> {
  const row = await db.kysely
    .selectFrom("tool_versions")
    .select("definition")
    .where("tool_id", "=", toolId)
    .where("version", "=", version)
    .executeTakeFirst();
  return row !== undefined && readDefinition(row.definition).idempotent;
}
