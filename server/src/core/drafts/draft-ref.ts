import type { DraftRef } from "#core/catalog";
import type { DraftRow } from "./draft-store.ts";

/** What building a draft needs of its row. */
export function toDraftRef(row: DraftRow): DraftRef {
  const { tool_id: toolId, base_version: version } = row;
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    userId: row.user_id,
    base: toolId === null || version === null ? undefined : { toolId, version },
  };
}
