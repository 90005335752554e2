import { parseStrictJsonWithin } from "#lib/strict-json";
import type { JsonLimits } from "#lib/strict-json";
import { inputLimits } from "./json-limits.ts";

/** Throws `StrictJsonError` for text that is not JSON, or beyond the limits. */
export type JsonParser = (text: string) => unknown;

/**
 * Parses JSON texts within a value. All texts and the value share {@link inputLimits}. `checkLength` receives the total
 * length before each text is parsed.
 */
export function createJsonParser(
  value: unknown,
  checkLength: (length: number) => void,
): JsonParser {
  let left: JsonLimits | undefined;
  let length = 0;
  return (text) => {
    length += text.length;
    checkLength(length);
    left ??= remainingLimits(value);
    return parseStrictJsonWithin(text, left);
  };
}

/** The limits of an input minus the size of this value. */
function remainingLimits(value: unknown): JsonLimits {
  const left = { ...inputLimits };
  const open: unknown[] = [value];
  while (open.length > 0 && left.values >= 0) {
    const next = open.pop();
    left.values -= 1;
    if (typeof next !== "object" || next === null) continue;
    left.containers -= 1;
    // A loop, since an array may have more members than a call may have arguments.
    for (const member of Object.values(next)) open.push(member);
  }
  return left;
}
