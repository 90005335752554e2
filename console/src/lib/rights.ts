import type { Me, Tool } from "@toolhost/contract";
import { mayDo } from "@toolhost/contract/roles";

/** The actions to offer on a tool. The service checks each one again. */
export type ToolRights = {
  run: boolean;
  edit: boolean;
  duplicate: boolean;
  /** Archive it, or change its visibility. */
  archive: boolean;
  uninstall: boolean;
  /** Accept a newer version of an installed tool. */
  acceptUpdate: boolean;
};

/** The rights of the signed-in user to a tool; none while the user is unknown. */
export function rightsTo(tool: Pick<Tool, "installed" | "mine">, me: Me | undefined): ToolRights {
  const canBuild = me?.scopes.includes("tools:write") === true;
  const isOwn = tool.installed !== true;
  return {
    run: me?.scopes.includes("mcp:execute") === true,
    edit: canBuild && isOwn,
    duplicate: canBuild && isOwn,
    archive: canBuild && isOwn && (tool.mine === true || mayDo(me.workspace.role, "tools:oversee")),
    uninstall: canBuild && !isOwn,
    acceptUpdate: canBuild && !isOwn,
  };
}
