import type { Caller } from "#core/kernel";
import { auditInsert, commitWrite, mayDo, ServiceError } from "#core/kernel";
import { emptyApprovals } from "../approvals/approval-store.ts";
import { forgetAlwaysAllowed } from "../approvals/always-allow-store.ts";
import type { AuthoringContext } from "../context.ts";
import { unarchiveTool } from "./archive-store.ts";
import { tooMuchChange } from "./change-live-tool.ts";
import { findArchivedTool } from "./archived-tools.ts";
import { capTools } from "./tool-caps.ts";
import { countChange } from "./tool-store.ts";

/**
 * Takes an archived tool back into use, with its name, versions, visibility, installations, and link to an import. Who archived
 * it also gets its approvals back; otherwise all are withdrawn, because someone decided against the tool. Throws
 * `tool_not_found`, `forbidden`, `quota_exceeded`.
 */
export async function restoreArchivedTool(
  context: AuthoringContext,
  caller: Caller,
  name: string,
): Promise<void> {
  const { db, clock } = context;
  const tool = await findArchivedTool(context, caller, name);
  const isUndone = tool.archived_by === caller.userId;
  // Only its author sees and archives a private tool.
  if (!isUndone && tool.visibility !== "private" && !mayDo(caller.role, "tools:oversee")) {
    throw new ServiceError(
      "forbidden",
      "Only the user who archived this tool and admins can restore it.",
    );
  }
  const now = clock.now();
  const { workspaceId } = caller;
  const withdrawal = emptyApprovals(db, { toolId: tool.id, byUserId: caller.userId, now });
  const isRestored = await commitWrite(context, caller, null, [
    ...capTools(context, workspaceId),
    countChange(db, workspaceId),
    unarchiveTool(db, { toolId: tool.id, workspaceId, archivedAt: tool.archived_at, now }),
    ...(isUndone ? [] : [withdrawal, forgetAlwaysAllowed(db, tool.id)]),
    auditInsert(context, caller, {
      action: "tool.unarchive",
      target: name,
      details: { approvals: isUndone ? "restored" : "withdrawn" },
    }),
  ]);
  if (!isRestored) throw tooMuchChange(name);
}
