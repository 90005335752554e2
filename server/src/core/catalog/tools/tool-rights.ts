import { mayDo, ServiceError } from "#core/kernel";
import type { Caller } from "#core/kernel";
import type { ToolRecord } from "./tool.ts";

type Owned = Pick<ToolRecord, "workspaceId" | "ownerUserId" | "visibility">;

/** Members of the owning workspace may change a tool. Throws `forbidden`. */
export function checkMayChange(caller: Caller, tool: Owned): void {
  if (tool.workspaceId === caller.workspaceId) return;
  throw new ServiceError(
    "forbidden",
    "This tool is installed from another workspace. Only members of that workspace can view its versions and change it.",
  );
}

/** Whether the caller is the author of a tool or an admin of its workspace. */
export function mayWithdraw(caller: Caller, tool: Owned): boolean {
  if (tool.workspaceId !== caller.workspaceId) return false;
  return tool.ownerUserId === caller.userId || mayDo(caller.role, "tools:oversee");
}

/** Only the author and admins may archive a tool, change its visibility, or name its commit. Throws `forbidden`. */
export function checkMayWithdraw(caller: Caller, tool: Owned): void {
  checkMayChange(caller, tool);
  if (mayWithdraw(caller, tool)) return;
  throw new ServiceError(
    "forbidden",
    "Only the tool's author and admins can archive it, change its visibility, or name its commit in Git.",
  );
}

/** The same for a change of visibility; only the author may make a tool private. Throws `forbidden`. */
export function checkMayShow(caller: Caller, tool: Owned, visibility: string): void {
  if (visibility === tool.visibility) return;
  checkMayWithdraw(caller, tool);
  if (visibility !== "private" || tool.ownerUserId === caller.userId) return;
  throw new ServiceError("forbidden", "Only the author of a tool can make it private.");
}
