import type { ApprovalNeeds, CreateToolInput, DraftApprovals } from "@toolhost/contract";
import type { Caller } from "#core/kernel";
import {
  approvalEvent,
  subtractNeeds,
  draftName,
  findToolToChange,
  hasNoNeeds,
  isOwnWork,
  needsOf,
  readNeeds,
} from "#core/catalog";
import type { DraftApproval } from "#core/catalog";
import type { DraftsContext } from "./context.ts";
import { commitWrite, lostKey } from "#core/kernel";
import { checkRevision } from "./draft.ts";
import { approveDraftRow } from "./draft-store.ts";
import type { DraftRow } from "./draft-store.ts";
import { findOwnDraft } from "./drafts.ts";
import { readDefinition } from "./read-definition.ts";

/**
 * What the author of a draft did that grants it credentials. A draft contains the whole definition, regardless of who wrote
 * which part. So if others wrote any part of the tool, everything that is not approved counts as inherited from them.
 */
export async function findDraftApproval(
  { db }: Pick<DraftsContext, "db">,
  row: DraftRow,
  definition: CreateToolInput,
): Promise<DraftApproval> {
  const { tool_id: toolId, user_id: userId } = row;
  const isOwn = toolId === null || (await isOwnWork(db, { toolId, userId }));
  return {
    isSavedWithRight: row.saved_with_right === 1,
    inherited: isOwn ? undefined : needsOf(definition),
    approved: row.approved_needs === null ? undefined : readNeeds(row.approved_needs),
  };
}

/** What publishing a definition must not approve, since its author neither wrote nor approved it. */
export function inheritedBy(
  definition: CreateToolInput,
  { isSavedWithRight, inherited, approved }: DraftApproval,
): ApprovalNeeds | undefined {
  const needs = needsOf(definition);
  if (!isSavedWithRight) return needs;
  return hasNoNeeds(subtractNeeds(needs, approved)) ? undefined : inherited;
}

/** The credentials and hosts that the last saved draft needs. Throws `not_found`, `invalid_tool`. */
export async function getDraftApprovals(
  context: DraftsContext,
  caller: Caller,
  id: string,
): Promise<DraftApprovals> {
  const row = await findOwnDraft(context, caller, id);
  const needs = await readNeedsOf(context, caller, row);
  return { revision: row.revision, title: row.title, requested: needs };
}

/**
 * Approves what the caller's draft needs, at the revision that they reviewed: of their own credentials, and of the
 * workspace's if they administer them. A later save by a key without `credentials:write` revokes the approval. Throws
 * `not_found`, `draft_changed`, `invalid_tool`.
 */
export async function approveDraftContent(
  context: DraftsContext,
  caller: Caller,
  id: string,
  { revision }: { revision: number },
): Promise<DraftApprovals> {
  const row = await findOwnDraft(context, caller, id);
  checkRevision(row, revision);
  const needs = await readNeedsOf(context, caller, row);
  const answer = { revision, title: row.title, requested: needs };
  const change = { id, revision, needs: JSON.stringify(needs) };
  const name = row.tool_name ?? draftName(id);
  const event = approvalEvent(
    context,
    caller,
    { name, version: revision, needs },
    { owners: ["user"], how: "request", draft: true },
  );
  const isKept = await commitWrite(context, caller, answer, [
    { query: approveDraftRow(context.db, caller, change), mustChange: true },
    event,
  ]);
  if (isKept) return answer;
  checkRevision(await findOwnDraft(context, caller, id), revision);
  throw lostKey();
}

async function readNeedsOf(
  context: DraftsContext,
  caller: Caller,
  row: DraftRow,
): Promise<ApprovalNeeds> {
  const current =
    row.tool_name === null ? undefined : await findToolToChange(context, caller, row.tool_name);
  return needsOf(readDefinition(row.definition, current));
}
