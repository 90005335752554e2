import type { JsonObject, OutputSchema, RunError, RunStatus } from "@toolhost/contract";
import type { ExecuteResult } from "@toolhost/sandbox";
import type { RunnableTool } from "#core/catalog";
import { isJsonObject } from "#lib/json-object";
import { withJsonText } from "#lib/json-text";
import { describeTypes } from "#core/validation";
import { mapStack } from "./source-map.ts";

type Evaluation = {
  status: Exclude<RunStatus, "running">;
  output: string | null;
  /** The output of a completed run before it was serialized. */
  outputValue?: JsonObject;
  error: RunError | null;
};

/** The end that a run's result means for the run: a completed one still has to match the tool's output schema. */
export function evaluateResult(tool: RunnableTool, result: ExecuteResult): Evaluation {
  if (result.status === "cancelled") return { status: "cancelled", output: null, error: null };
  if (result.status === "failed") {
    const { stack, ...error } = result.error;
    const mapped = stack && mapStack(stack, tool.sourceMap, tool.sourceFile);
    return {
      status: "failed",
      output: null,
      error: { ...error, ...(mapped && { stack: mapped }) },
    };
  }
  const checked = checkOutput(result.output, tool.definition.outputSchema);
  if ("problem" in checked) {
    const error = { code: "invalid_output" as const, message: checked.problem };
    return { status: "failed", output: null, error };
  }
  const { output: outputValue } = checked;
  // Not the text of the tool, of which the parsed value may lack parts: those were neither validated nor redacted.
  const output = JSON.stringify(outputValue);
  return {
    status: "completed",
    output,
    outputValue: withJsonText(outputValue, output),
    error: null,
  };
}

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
 * Returns a tool's output as an object, or one line with the reason why it does not match the schema. Undeclared fields
 * are allowed. A tool without declared properties may return null.
 */
export function checkOutput(
  output: unknown,
  { properties }: OutputSchema,
): { output: JsonObject } | { problem: string } {
  const value = output === null && properties.length === 0 ? {} : output;
  if (!isJsonObject(value)) {
    return { problem: `The tool must return an object, not ${describeTypes(nameOf(value))}.` };
  }
  const problems = properties.flatMap(({ name, type, optional, lenient }) => {
    const field = Object.hasOwn(value, name) ? value[name] : undefined;
    if (field === undefined) {
      return optional === true ? [] : [`output.${name} is missing; its declared type is ${type}`];
    }
    return lenient === true || checks[type](field)
      ? []
      : [`output.${name} must be ${describeTypes(type)}, not ${describeTypes(nameOf(field))}`];
  });
  return problems.length === 0 ? { output: value } : { problem: `${problems.join("; ")}.` };
}

function nameOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
