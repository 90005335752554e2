import type { Skill } from "@toolhost/contract";
import type { Caller } from "#core/kernel";
import type { ChatContext } from "../context.ts";
import { ServiceError } from "#core/kernel";
import { getSkill } from "#core/catalog";
import type { ChatFile } from "../block.ts";
import { isAlwaysAllowed } from "./always-allow.ts";
import { planForm, requiredFields } from "./plan-form.ts";
import type { FormPlan } from "./plan-form.ts";
import type { ToolRequest, AttachedFiles } from "./subject.ts";

/** The current version of a tool, with `confirm` if the person wants to be asked. Throws `tool_not_found`. */
export async function findTool(
  context: ChatContext,
  caller: Caller,
  { toolName }: Pick<ToolRequest, "toolName">,
): Promise<Skill> {
  const tool = await getSkill(context, caller, toolName);
  const isAsked = tool.confirm && !(await isAlwaysAllowed(context, caller, tool));
  return { ...tool, confirm: isAsked };
}

/** Like {@link findTool}; undefined for a tool that no longer exists. */
export async function findIfThere(
  context: ChatContext,
  caller: Caller,
  toolRequest: Pick<ToolRequest, "toolName">,
): Promise<Skill | undefined> {
  try {
    return await findTool(context, caller, toolRequest);
  } catch (error) {
    if (error instanceof ServiceError && error.code === "tool_not_found") return undefined;
    throw error;
  }
}

/** The title and output schema of a tool, also of one that no longer exists. */
export async function describeTool(
  context: ChatContext,
  caller: Caller,
  toolName: string,
): Promise<Pick<Skill, "title" | "outputSchema">> {
  try {
    return await getSkill(context, caller, toolName);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== "tool_not_found") throw error;
    return { title: toolName, outputSchema: { properties: [] } };
  }
}

/** The form for the unknown input of a tool. */
export function formOf(
  tool: Skill,
  { input, attached }: Pick<ToolRequest, "input" | "attached">,
): FormPlan {
  const { inputSchema, fileFields } = tool;
  return planForm({ inputSchema, fileFields, known: Object.keys(attached), initial: input });
}

/** Whether all required fields of a tool are known. */
export function isComplete(
  tool: Skill,
  { input, attached }: Pick<ToolRequest, "input" | "attached">,
): boolean {
  return requiredFields(tool.inputSchema).every(
    (name) => Object.hasOwn(input, name) || Object.hasOwn(attached, name),
  );
}

/** Assigns the files of a message to the file fields of a tool, required ones first. */
export function attach(tool: Skill, files: readonly ChatFile[]): AttachedFiles {
  const required = requiredFields(tool.inputSchema);
  const fields = tool.fileFields.toSorted(
    (one, other) => Number(required.includes(other)) - Number(required.includes(one)),
  );
  const { fields: formFields } = planForm({
    inputSchema: tool.inputSchema,
    fileFields: tool.fileFields,
    known: [],
  });
  const attached: Record<string, readonly ChatFile[]> = {};
  let left = [...files];
  for (const name of fields) {
    const field = formFields.find((one) => one.field.name === name)?.field;
    if (field?.kind !== "file" || left.length === 0) continue;
    attached[name] = left.slice(0, field.maxFiles);
    left = left.slice(field.maxFiles);
  }
  return attached;
}
