import { spend } from "./meter.ts";

/** Cost per character of a key, in units of the meter. */
const perCharacter = 1 / 8;

/**
 * A text that is equal for two JSON values exactly if they are equal, regardless of the order of members. Undefined if it
 * is longer than `maxLength`. Throws `TooCostlyError` as `spend` does.
 */
export function jsonKey(value: unknown, maxLength = Infinity): string | undefined {
  if (typeof value !== "object" || value === null) {
    if (typeof value === "string" && value.length > maxLength) return undefined;
    const key = JSON.stringify(value) ?? "";
    spend(1 + key.length * perCharacter);
    return key.length > maxLength ? undefined : key;
  }
  spend(1);
  const parts: string[] = [];
  let left = maxLength;
  const add = (prefix: string, member: unknown): boolean => {
    const key = jsonKey(member, left);
    if (key === undefined) return false;
    parts.push(prefix + key);
    left -= prefix.length + key.length + 1;
    return left >= 0;
  };
  if (Array.isArray(value)) {
    return value.every((item) => add("", item)) ? `[${parts.join()}]` : undefined;
  }
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return members.every(([name, member]) => add(`${JSON.stringify(name)}:`, member))
    ? `{${parts.join()}}`
    : undefined;
}
