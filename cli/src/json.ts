import { usageError } from "./terminal/cli-error.ts";

/** Whether a value is a JSON object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Parses a file that must contain a JSON object. `name` is for the message. */
export function parseJsonObject(text: string, name: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw usageError(`${name} is not valid JSON: ${String(error).replace(/^SyntaxError: /, "")}`);
  }
  if (isRecord(value)) return value;
  throw usageError(`${name} must contain a JSON object.`);
}

/** JSON as our files have it. */
export const toJsonFile = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
