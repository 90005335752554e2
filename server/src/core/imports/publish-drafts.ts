import type { ErrorCode, ImportedTool, PublishImportedDraftsInput } from "@toolhost/contract";
import { lockImport } from "#core/catalog";
import { planDraftPublication } from "#core/drafts";
import type { Caller } from "#core/kernel";
import { auditInsert, commitWrite, retryWrite, ServiceError } from "#core/kernel";
import type { TransactionStep } from "#db";
import { changedMeanwhile } from "./changed-meanwhile.ts";
import type { ImportsContext } from "./context.ts";
import { findImport } from "./imports.ts";

/** Errors of one draft, which do not stop the others. */
const errorsOfDraft: ReadonlySet<ErrorCode> = new Set([
  "not_found",
  "draft_changed",
  "invalid_tool",
  "tool_not_found",
  "forbidden",
  "already_imported",
  "version_not_live",
]);

/**
 * Publishes drafts of the caller that were made from items of an import, all that are valid, in one transaction. Throws
 * `not_found`, `quota_exceeded`, `rate_limited` and `unavailable`.
 */
export async function publishImportedDrafts(
  context: ImportsContext,
  caller: Caller,
  id: string,
  input: Input,
): Promise<ImportedTool[]> {
  const results = await retryWrite(async () => publishOnce(context, caller, id, input));
  if (results === undefined) throw changedMeanwhile();
  return results;
}

type Input = PublishImportedDraftsInput & { signal?: AbortSignal | undefined };

/** Undefined if the import, a draft, or what was made of its item changed at the same time. */
async function publishOnce(
  context: ImportsContext,
  caller: Caller,
  id: string,
  { drafts, signal }: Input,
): Promise<ImportedTool[] | undefined> {
  const row = await findImport(context, caller, id);
  const results: ImportedTool[] = [];
  const steps: TransactionStep[] = [];
  const taken = new Set<string>();
  for (const draft of drafts) {
    const input = { ...draft, allowDuplicate: false };
    const result: ImportedTool = {
      key: "",
      toolName: null,
      draftId: draft.id,
      notes: [],
      problem: null,
    };
    try {
      const {
        link,
        row: draftRow,
        planned,
      } = await planDraftPublication(context, caller, input, signal);
      const key = link?.key ?? "";
      const problem = problemOf({ isOfImport: link?.importId === id, isTaken: taken.has(key) });
      if (problem !== undefined) results.push({ ...result, key, problem });
      else {
        // Each plan read the item on its own; the lock checks that all are still the same.
        steps.push(...planned.steps);
        if (draftRow.tool_id === null) taken.add(key);
        results.push({ ...result, key, toolName: planned.saved.name, draftId: null });
      }
    } catch (error) {
      if (!(error instanceof ServiceError) || !errorsOfDraft.has(error.code)) throw error;
      results.push({ ...result, problem: error.message });
    }
  }
  const isPublished = await commitWrite(context, caller, results, [
    lockImport(context.db, { importId: id, importHash: row.hash }),
    ...steps,
    auditInsert(context, caller, { action: "import.publish_drafts", target: id }),
  ]);
  return isPublished ? results : undefined;
}

function problemOf({ isOfImport, isTaken }: { isOfImport: boolean; isTaken: boolean }) {
  if (!isOfImport) return "It was not made from this import.";
  return isTaken ? "Another of these drafts is of the same item." : undefined;
}
