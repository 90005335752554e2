import type { Skill } from "@toolhost/contract";
import { isJsonObject } from "#lib/json-object";

/** Whether a field takes several files. */
export function takesList({ inputSchema: { properties } }: Skill, name: string): boolean {
  const property = isJsonObject(properties) ? properties[name] : undefined;
  if (!isJsonObject(property)) return false;
  const { type } = property;
  return type === "array" || (Array.isArray(type) && type.includes("array"));
}

/** File IDs in place of files that are not uploaded yet, so that the rest of the input can be validated. */
export function placeholderFileIds(
  tool: Skill,
  names: readonly string[],
  newId: () => string,
): Record<string, string | string[]> {
  return Object.fromEntries(
    names.map((name) => [name, takesList(tool, name) ? [newId()] : newId()]),
  );
}
