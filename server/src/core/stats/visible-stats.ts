import { sql } from "kysely";
import { othersPrivateTools } from "#core/kernel";
import type { RunViewer } from "#core/kernel";

/**
 * Whether figures are of runs that the viewer may see, like `isRunVisible`. Only the viewer's own runs of another user's tool that
 * has become private since count for its author alone.
 */
export function isVisible(viewer: RunViewer) {
  return sql<boolean>`(private_to in ('', ${viewer.userId})
    and tool_id not in (${othersPrivateTools(viewer, "id")}))`;
}

export function isVisibleColumn(viewer: RunViewer) {
  return sql<number>`case when ${isVisible(viewer)} then 1 else 0 end`.as("is_visible");
}
