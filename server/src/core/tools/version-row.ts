import type { ToolDraft } from "@toolhost/contract";
import type { Caller } from "#core/access";
import type { ToolVersionTable } from "#db";
import { newId } from "#lib/ids";
import type { Bundle } from "./build-tool.ts";
import type { ToolDefinition } from "./tool.ts";

/** The row of a version as it is saved for the first time. */
export function versionRow(
  caller: Caller,
  place: { toolId: string; version: number; now: number },
  draft: ToolDraft,
  bundle: Bundle,
): ToolVersionTable {
  const { title, description, visibility: _, source, ...definition } = draft;
  return {
    id: newId(),
    tool_id: place.toolId,
    workspace_id: caller.workspaceId,
    version: place.version,
    title,
    description,
    definition: JSON.stringify(definition satisfies ToolDefinition),
    source: JSON.stringify(source),
    bundle: bundle.code,
    bundle_hash: bundle.hash,
    source_map: bundle.sourceMap,
    created_by: caller.userId,
    created_at: place.now,
    restored_from: null,
  };
}
