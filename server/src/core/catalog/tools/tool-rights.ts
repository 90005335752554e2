import { mayDo, ServiceError } from "#core/kernel";
import type { Caller } from "#core/kernel";
import type { ToolRecord } from "./tool.ts";

type Owned = Pick<ToolRecord, "workspaceId" | "ownerUserId" | "visibility">;

/**
 * A shared tool is its workspace's to change; an installed one is its author's. Throws `forbidden`.
 */
export function checkMayChange(caller: Caller, tool: Owned): void {
  if (tool.workspaceId === caller.workspaceId) return;
  throw new ServiceError(
    "forbidden",
    "This tool is installed from another workspace. Only members of that workspace can view its versions and change it.",
  );
}

/** Who takes a tool away from others, or gives it to others: its author, or an admin. Throws `forbidden`. */
export function checkMayWithdraw(caller: Caller, tool: Owned): void {
  checkMayChange(caller, tool);
  if (tool.ownerUserId === caller.userId || mayDo(caller.role, "tools:oversee")) return;
  throw new ServiceError(
    "forbidden",
    "Only the tool's author and admins can archive it or change its visibility.",
  );
}

/** The same for a change of who sees the tool; only its author may keep it to themselves. Throws `forbidden`. */
export function checkMayShow(caller: Caller, tool: Owned, visibility: string): void {
  if (visibility === tool.visibility) return;
  checkMayWithdraw(caller, tool);
  if (visibility !== "private" || tool.ownerUserId === caller.userId) return;
  throw new ServiceError("forbidden", "Only the author of a tool can make it private.");
}
