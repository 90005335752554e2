import type { PublishDraftInput, ToolDetail } from "@toolhost/contract";
import type { Caller } from "#core/kernel";
import type { DraftsContext } from "./context.ts";
import { lostKey } from "#core/kernel";
import { findToolToChange, publishDefinition, versionNotLive } from "#core/catalog";
import { checkRevision } from "./draft.ts";
import { deleteDraftRow } from "./draft-store.ts";
import type { DraftRow } from "./draft-store.ts";
import { findOwnDraft, readImportLink } from "./drafts.ts";
import { findDraftApproval, inheritedBy } from "./draft-approval.ts";
import { toDraftRef } from "./draft-ref.ts";
import { publishExampleResults } from "./example-results.ts";
import { readDefinition } from "./read-definition.ts";

/**
 * Publishes the draft as a new tool or as the next version of its tool, and deletes the draft, in one transaction. Throws
 * `not_found`, `draft_changed`, `invalid_tool`, `tool_not_found`, `forbidden`, `already_imported`, and `version_not_live` if the
 * tool has changed and the caller does not name its live version.
 */
export async function publishDraft(
  context: DraftsContext,
  caller: Caller,
  id: string,
  { revision, baseVersion, allowDuplicate }: PublishDraftInput,
  signal?: AbortSignal,
): Promise<ToolDetail> {
  const row = await findOwnDraft(context, caller, id);
  checkRevision(row, revision);
  const current = await findCurrent(context, caller, row, baseVersion);
  const end = deleteDraftRow(context.db, caller, { id, revision });
  const definition = readDefinition(row.definition, current);
  const approval = await findDraftApproval(context, row, definition);
  const published = await publishDefinition(context, caller, {
    draft: toDraftRef(row),
    definition,
    current,
    inherited: inheritedBy(definition, approval),
    // Old versions are pruned, so each version also records what they proved.
    isOwnWork: approval.isSavedWithRight && approval.inherited === undefined,
    importLink: readImportLink(row),
    allowDuplicate,
    also: [...publishExampleResults(context, row), { query: end, mustChange: true }],
    signal,
  });
  if (published !== undefined) return published;
  // Nothing changed because the draft was saved or deleted concurrently, or the tool has another live version.
  checkRevision(await findOwnDraft(context, caller, id), revision);
  await findCurrent(context, caller, row, baseVersion);
  throw lostKey();
}

/** The tool that a draft changes, at the version that the caller named; undefined for a new tool. */
async function findCurrent(
  context: DraftsContext,
  caller: Caller,
  row: DraftRow,
  baseVersion: number | undefined,
) {
  if (row.tool_name === null) return undefined;
  const current = await findToolToChange(context, caller, row.tool_name);
  if (current.version !== (baseVersion ?? row.base_version)) {
    throw versionNotLive(row.tool_name, current.version);
  }
  return current;
}
