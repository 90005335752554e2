import type { Skill } from "@toolhost/contract";
import { findRunnableTool } from "#core/catalog";
import { ServiceError } from "#core/kernel";
import { newId } from "#lib/ids";
import type { ChatContext } from "../context.ts";
import type { Turn } from "../turn.ts";
import { placeholderFileIds } from "./placeholder-file-ids.ts";
import type { ToolRequest } from "./subject.ts";

/** Validates input before the person is asked to confirm it. Throws `invalid_input`. */
export async function checkInput(
  context: ChatContext,
  { caller }: Turn,
  tool: Skill,
  { input, attached }: Pick<ToolRequest, "input" | "attached">,
): Promise<void> {
  const { inputSchema } = await findRunnableTool(context, caller, tool.name);
  const whole = { ...input, ...placeholderFileIds(tool, Object.keys(attached), newId) };
  const given = { value: whole, text: JSON.stringify(whole) };
  const { workspaceId } = caller;
  const { errors } = await context.validation.checkInput(workspaceId, inputSchema, given);
  const [first] = errors;
  if (first === undefined) return;
  throw new ServiceError("invalid_input", `${first.path || "The input"} ${first.message}.`, {
    errors,
  });
}
