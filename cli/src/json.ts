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

/** The object with its members in the order of an earlier one, so that Git shows only what changed. New members come last. */
export function inOrderOf(
  earlier: Readonly<Record<string, unknown>>,
  value: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const names = new Set([...Object.keys(earlier), ...Object.keys(value)]);
  return Object.fromEntries(
    [...names]
      .filter((name) => Object.hasOwn(value, name))
      .map((name) => [
        name,
        arrange(Object.hasOwn(earlier, name) ? earlier[name] : undefined, value[name]),
      ]),
  );
}

function arrange(earlier: unknown, value: unknown): unknown {
  if (Array.isArray(value)) {
    const items: readonly unknown[] = Array.isArray(earlier) ? earlier : [];
    return value.map((item, at) => arrange(items[at], item));
  }
  return isRecord(value) ? inOrderOf(isRecord(earlier) ? earlier : {}, value) : value;
}
