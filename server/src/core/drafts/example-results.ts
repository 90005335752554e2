import { exampleLimits } from "@toolhost/contract";
import type { CreateExampleResultsInput, ExampleResults } from "@toolhost/contract";
import { readExampleResults, saveVersionResults } from "#core/catalog";
import { commitWrite, lostKey } from "#core/kernel";
import type { Caller } from "#core/kernel";
import type { TransactionStep } from "#db";
import { toTimestamp } from "#lib/clock";
import type { DraftsContext } from "./context.ts";
import { saveExampleResults } from "./draft-store.ts";
import type { DraftRow } from "./draft-store.ts";
import { checkRevision } from "./draft.ts";
import { findOwnDraft } from "./drafts.ts";

/** The latest results of running the examples of the caller's draft, newest first. Throws `not_found`. */
export async function listExampleResults(
  context: Pick<DraftsContext, "db">,
  caller: Caller,
  id: string,
): Promise<ExampleResults[]> {
  return readExampleResults(await findOwnDraft(context, caller, id));
}

/**
 * Stores what running the examples of a revision has shown. The client compares outputs and is believed: only the author, who
 * could as well change the examples, sends results. Not audited, like saves. Throws `not_found`, `draft_changed`.
 */
export async function recordExampleResults(
  context: DraftsContext,
  caller: Caller,
  id: string,
  { revision, results }: CreateExampleResultsInput,
): Promise<ExampleResults> {
  const row = await findOwnDraft(context, caller, id);
  checkRevision(row, revision);
  const count = (status: string) => results.filter((one) => one.status === status).length;
  const recorded: ExampleResults = {
    revision,
    at: toTimestamp(context.clock.now()),
    passed: count("passed"),
    failed: count("failed"),
    skipped: count("skipped"),
    results,
  };
  const history = [recorded, ...readExampleResults(row)].slice(0, exampleLimits.history);
  const query = saveExampleResults(context.db, caller, {
    id,
    revision,
    results: JSON.stringify(history),
  });
  if (await commitWrite(context, caller, recorded, [{ query, mustChange: true }])) return recorded;
  checkRevision(await findOwnDraft(context, caller, id), revision);
  throw lostKey();
}

/** Gives the results of the published revision to its version. Must follow the step that makes the version live. */
export function publishExampleResults(
  { db }: Pick<DraftsContext, "db">,
  row: DraftRow,
): TransactionStep[] {
  const results = readExampleResults(row).filter(({ revision }) => revision === row.revision);
  if (results.length === 0) return [];
  const { id: draftId, tool_id: toolId, workspace_id: workspaceId } = row;
  return [saveVersionResults(db, { workspaceId, toolId, draftId }, JSON.stringify(results))];
}
