import type { Caller } from "#core/kernel";
import { auditInsert, commitWrite } from "#core/kernel";
import type { AuthoringContext } from "../context.ts";
import { attempts, tooMuchChange } from "./change-live-tool.ts";
import { findToolRecord } from "./get-tool.ts";
import { checkMayWithdraw } from "./tool-rights.ts";
import { changeTool } from "./tool-store.ts";

/** Takes a tool out of use. Its versions and the records of its runs stay; its name is never used again. */
export async function archiveTool(
  context: AuthoringContext,
  caller: Caller,
  name: string,
): Promise<void> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const now = context.clock.now();
    const record = await findToolRecord(context, caller, name);
    checkMayWithdraw(caller, record);
    const isArchived = await commitWrite(context, caller, null, [
      ...changeTool(context.db, {
        toolId: record.id,
        workspaceId: caller.workspaceId,
        from: record.version,
        set: { archived_at: now, updated_at: now },
      }),
      auditInsert(context, caller, { action: "tool.archive", target: name }),
    ]);
    if (isArchived) return;
    // Somebody saved a version in between: what they see next is the tool, so try on that one.
  }
  throw tooMuchChange(name);
}
