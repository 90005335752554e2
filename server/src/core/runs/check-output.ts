import type { JsonObject, OutputSchema } from "@toolhost/contract";
import { isJsonObject } from "#lib/json-object";

type Declared = OutputSchema["properties"][number];

const checks: Record<Declared["type"], (value: unknown) => boolean> = {
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === "boolean",
  object: (value) => isJsonObject(value),
  array: (value) => Array.isArray(value),
  null: (value) => value === null,
  any: (value) => value !== undefined,
};

/**
 * A tool's output as the object it must be, or what is wrong with it in one line. Fields that the tool
 * did not declare are kept. A tool that declares nothing may return nothing.
 */
export function checkOutput(
  output: unknown,
  { properties }: OutputSchema,
): { output: JsonObject } | { problem: string } {
  const value = output === null && properties.length === 0 ? {} : output;
  if (!isJsonObject(value)) {
    return { problem: `The tool must return an object, not ${nameOf(value)}.` };
  }
  const problems = properties.flatMap(({ name, type, optional }) => {
    const field = Object.hasOwn(value, name) ? value[name] : undefined;
    if (field === undefined) {
      return optional === true
        ? []
        : [`output.${name} is missing; the tool declares it as ${type}`];
    }
    return checks[type](field) ? [] : [`output.${name} must be ${type}, not ${nameOf(field)}`];
  });
  return problems.length === 0 ? { output: value } : { problem: `${problems.join("; ")}.` };
}

function nameOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
