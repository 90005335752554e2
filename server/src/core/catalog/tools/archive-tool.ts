import type { GitFolder } from "@toolhost/contract";
import type { Caller } from "#core/kernel";
import { auditInsert, commitWrite } from "#core/kernel";
import type { TransactionStep } from "#db";
import type { AuthoringContext } from "../context.ts";
import { attempts, changedElsewhere, tooMuchChange } from "./change-live-tool.ts";
import { findToolRecord } from "./get-tool.ts";
import { checkMayWithdraw } from "./tool-rights.ts";
import { changeTool } from "./tool-store.ts";

type ArchiveOptions = {
  /** Whether the caller has read the live version, and so may archive it. */
  isExpected?: (version: number) => boolean;
  /** The commit that deleted the folder of the tool. */
  from?: GitFolder | undefined;
};

/**
 * Archives a tool. Its versions, approvals and run records remain for `restoreArchivedTool`, and its name is never reused. Throws `precondition_failed` if the
 * live version is not an expected one.
 */
export async function archiveTool(
  context: AuthoringContext,
  caller: Caller,
  name: string,
  options: ArchiveOptions = {},
): Promise<void> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const steps = await planArchive(context, caller, name, options);
    if (await commitWrite(context, caller, null, steps)) return;
    // A version was saved concurrently, so retry with the new live version.
  }
  throw tooMuchChange(name);
}

/** Plans the archiving of a tool at its live version. Throws `tool_not_found`, `forbidden`, `precondition_failed`. */
export async function planArchive(
  context: AuthoringContext,
  caller: Caller,
  name: string,
  { isExpected, from }: ArchiveOptions = {},
): Promise<TransactionStep[]> {
  const now = context.clock.now();
  const record = await findToolRecord(context, caller, name);
  checkMayWithdraw(caller, record);
  if (isExpected?.(record.version) === false) throw changedElsewhere(record);
  const { version } = record;
  const published =
    from === undefined ? {} : { published_from: JSON.stringify({ ...from, version }) };
  return [
    ...changeTool(context.db, {
      toolId: record.id,
      workspaceId: caller.workspaceId,
      from: version,
      set: { archived_at: now, archived_by: caller.userId, updated_at: now, ...published },
    }),
    auditInsert(context, caller, {
      action: "tool.archive",
      target: name,
      ...(from === undefined ? {} : { details: { commit: from.commit } }),
    }),
  ];
}
