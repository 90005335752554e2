import { isJsonObject } from "#lib/json-object";

/** Listing the keys of a large object takes milliseconds, and a preview needs them several times. */
const listed = new WeakMap<object, readonly string[]>();

/** The keys of an object, listed once. */
export function keysOf(object: Readonly<Record<string, unknown>>): readonly string[] {
  const known = listed.get(object);
  if (known !== undefined) return known;
  const keys = Object.keys(object);
  listed.set(object, keys);
  return keys;
}

/** The length of a text as JSON, in which some characters take six; for a text longer than `max`, its own length. */
export function lengthOf(text: string, max: number): number {
  return text.length > max ? text.length : JSON.stringify(text).length;
}

/** About the length of a value as JSON; stops counting above `max`, so that the work depends on `max` only. */
export function measure(value: unknown, max: number): number {
  let sum = 0;
  const rest: unknown[] = [value];
  while (rest.length > 0 && sum <= max) {
    const next = rest.pop();
    if (typeof next === "string") sum += lengthOf(next, max);
    else if (Array.isArray(next)) {
      sum += 2 + next.length;
      if (sum <= max) for (const item of next) rest.push(item);
    } else if (isJsonObject(next)) {
      sum += 2;
      for (const key of keysOf(next)) {
        sum += lengthOf(key, max) + 2;
        if (sum > max) break;
        rest.push(next[key]);
      }
    } else sum += String(next).length;
  }
  return sum;
}
