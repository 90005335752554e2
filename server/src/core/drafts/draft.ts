import type { Draft, DraftSummary, JsonObject } from "@toolhost/contract";
import { toolLimits } from "@toolhost/contract";
import { ServiceError } from "#core/kernel";
import { toTimestamp } from "#lib/clock";
import type { DraftRow, ListedDraft } from "./draft-store.ts";

/** The title of a draft in lists: a single line, or empty. */
export function titleOf({ title }: JsonObject): string {
  if (typeof title !== "string") return "";
  return title
    .slice(0, toolLimits.title)
    .toWellFormed()
    .replace(/[\p{Cc}\ufffd]+/gu, " ")
    .trim();
}

/** The draft as shown in lists. */
export function presentSummary(row: ListedDraft, origin: DraftSummary["import"]): DraftSummary {
  return {
    id: row.id,
    toolName: row.tool_name,
    title: row.title,
    baseVersion: row.base_version,
    revision: row.revision,
    import: origin,
    createdAt: toTimestamp(row.created_at),
    updatedAt: toTimestamp(row.updated_at),
  };
}

export function presentDraft(row: DraftRow, origin: DraftSummary["import"]): Draft {
  return { ...presentSummary(row, origin), definition: JSON.parse(row.definition) as JsonObject };
}

/** Throws `draft_changed` if the draft is not at the revision that the caller sent. */
export function checkRevision(row: Pick<ListedDraft, "revision">, seen: number): void {
  if (row.revision === seen) return;
  throw new ServiceError(
    "draft_changed",
    `The draft was saved elsewhere: it is at revision ${row.revision}, and you sent revision ${seen}. Reload it and retry.`,
    { extra: { revision: row.revision } },
  );
}
