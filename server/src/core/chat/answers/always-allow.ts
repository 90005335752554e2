import type { Skill } from "@toolhost/contract";
import { alwaysAllow, findRunnableTool, getAlwaysAllowed } from "#core/catalog";
import { mayDo } from "#core/kernel";
import type { Caller } from "#core/kernel";
import { usesSharedCredential } from "#core/vault";
import type { ChatContext } from "../context.ts";

type Shown = Pick<Skill, "name" | "version">;

/** The version that the person saw, if they may run it without a confirmation and it is still in use. */
async function findAllowable(context: ChatContext, caller: Caller, { name, version }: Shown) {
  const tool = await findRunnableTool(context, caller, name);
  if (tool.version !== version) return undefined;
  if (mayDo(caller.role, "credentials:share")) return tool;
  // Who does not decide about the workspace's credentials may not let a chat use them without a look.
  return (await usesSharedCredential(context, caller, tool)) ? undefined : tool;
}

/** Whether the person can choose not to be asked about a tool again. */
export async function mayAlwaysAllow(
  context: ChatContext,
  caller: Caller,
  tool: Shown,
): Promise<boolean> {
  return (await findAllowable(context, caller, tool)) !== undefined;
}

/** Whether the person has chosen so, for this code and its access to credentials and hosts. */
export async function isAlwaysAllowed(
  context: ChatContext,
  caller: Caller,
  shown: Shown,
): Promise<boolean> {
  const tool = await findAllowable(context, caller, shown);
  if (tool === undefined) return false;
  return (await getAlwaysAllowed(context, caller, tool))?.covered === true;
}

/** Stores that choice; false if the person may not make it. */
export async function allowAlways(
  context: ChatContext,
  caller: Caller,
  shown: Shown,
): Promise<boolean> {
  const tool = await findAllowable(context, caller, shown);
  if (tool === undefined) return false;
  await alwaysAllow(context, caller, tool);
  return true;
}
