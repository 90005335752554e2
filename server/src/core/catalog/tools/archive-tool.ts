import type { Caller } from "#core/kernel";
import { auditInsert, commitWrite } from "#core/kernel";
import type { TransactionStep } from "#db";
import type { AuthoringContext } from "../context.ts";
import { attempts, tooMuchChange } from "./change-live-tool.ts";
import { findToolRecord } from "./get-tool.ts";
import { checkMayWithdraw } from "./tool-rights.ts";
import { changeTool } from "./tool-store.ts";

/** Archives a tool. Its versions and run records remain, and its name is never reused. */
export async function archiveTool(
  context: AuthoringContext,
  caller: Caller,
  name: string,
): Promise<void> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const steps = await planArchive(context, caller, name);
    if (await commitWrite(context, caller, null, steps)) return;
    // A version was saved concurrently, so retry with the new live version.
  }
  throw tooMuchChange(name);
}

/** Plans the archiving of a tool at its live version. Throws `tool_not_found`, `forbidden`. */
export async function planArchive(
  context: AuthoringContext,
  caller: Caller,
  name: string,
): Promise<TransactionStep[]> {
  const now = context.clock.now();
  const record = await findToolRecord(context, caller, name);
  checkMayWithdraw(caller, record);
  return [
    ...changeTool(context.db, {
      toolId: record.id,
      workspaceId: caller.workspaceId,
      from: record.version,
      set: { archived_at: now, updated_at: now },
    }),
    auditInsert(context, caller, { action: "tool.archive", target: name }),
  ];
}
