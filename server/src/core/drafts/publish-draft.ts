import type { PublishDraftInput, ToolDetail } from "@toolhost/contract";
import type { Caller } from "#core/kernel";
import type { DraftsContext } from "./context.ts";
import { commitWrite, lostKey, retryWrite } from "#core/kernel";
import { findToolToChange, planPublication, versionNotLive } from "#core/catalog";
import type { ImportLink, PlannedPublication } from "#core/catalog";
import type { TransactionStep } from "#db";
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
  input: PublishDraftInput,
  signal?: AbortSignal,
): Promise<ToolDetail> {
  // A concurrent change of the draft, its tool or its import is what the next plan refuses or reads.
  const published = await retryWrite(async () => {
    const { planned } = await planDraftPublication(context, caller, { id, ...input }, signal);
    const { saved, steps, lock } = planned;
    return (await commitWrite(context, caller, saved, [...lock, ...steps])) ? saved : undefined;
  });
  if (published === undefined) throw lostKey();
  return published;
}

/** Plans the same, to be committed with other drafts. */
export async function planDraftPublication(
  context: DraftsContext,
  caller: Caller,
  { id, revision, baseVersion, allowDuplicate }: PublishDraftInput & { id: string },
  signal?: AbortSignal,
): Promise<{ row: DraftRow; link: ImportLink | undefined; planned: PlannedPublication }> {
  const row = await findOwnDraft(context, caller, id);
  checkRevision(row, revision);
  const current = await findCurrent(context, caller, row, baseVersion);
  const definition = readDefinition(row.definition, current);
  const approval = await findDraftApproval(context, row, definition);
  const link = readImportLink(row);
  const planned = await planPublication(context, caller, {
    draft: toDraftRef(row),
    definition,
    current,
    inherited: inheritedBy(definition, approval),
    // Old versions are pruned, so each version also records what they proved.
    isOwnWork: approval.isSavedWithRight && approval.inherited === undefined,
    importLink: link,
    allowDuplicate,
    signal,
  });
  const query = deleteDraftRow(context.db, caller, { id, revision });
  const end: TransactionStep = { query, mustChange: true };
  const steps = [...planned.steps, ...publishExampleResults(context, row), end];
  return { row, link, planned: { ...planned, steps } };
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
