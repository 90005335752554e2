import type { Me, Tool } from "@toolhost/contract";
import { mayDo } from "@toolhost/contract/roles";

/** What somebody may do with a tool. The service decides; this is what they are offered. */
export type ToolRights = {
  run: boolean;
  edit: boolean;
  duplicate: boolean;
  /** Take it away from everybody, or change who sees it. */
  archive: boolean;
  uninstall: boolean;
  /** Accept a newer version of an installed tool. */
  acceptUpdate: boolean;
};

/** The rights of somebody who sees the tool; nobody known has none. */
export function rightsTo(tool: Pick<Tool, "installed" | "mine">, me: Me | undefined): ToolRights {
  const mayBuild = me?.scopes.includes("tools:write") === true;
  const isOwn = tool.installed !== true;
  return {
    run: me?.scopes.includes("mcp:execute") === true,
    edit: mayBuild && isOwn,
    duplicate: mayBuild && isOwn,
    archive: mayBuild && isOwn && (tool.mine === true || mayDo(me.workspace.role, "tools:oversee")),
    uninstall: mayBuild && !isOwn,
    acceptUpdate: mayBuild && !isOwn,
  };
}
