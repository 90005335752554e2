import { isJsonObject } from "#lib/json-object";
import { pointerParts } from "#lib/pointer";
import { keysOf, lengthOf, measure } from "./measure-json.ts";
import type { Unit } from "./shorten-output.ts";

/** A part of an array, a string or an object: how many of its items, characters or fields, of how many. */
export type Slice = { value: unknown; count: number; total: number; unit: Unit };

type Range = { offset: number; limit: number; maxCharacters: number };

/**
 * Takes up to `limit` items, characters or fields from `offset` on, fewer if their JSON is longer than `maxCharacters`, but
 * at least one. Undefined for a value that has no parts.
 */
export function sliceOf(
  value: unknown,
  { offset, limit, maxCharacters }: Range,
): Slice | undefined {
  if (typeof value === "string") {
    const part = textFrom(value, { offset, limit, maxCharacters });
    return { value: part, count: part.length, total: value.length, unit: "characters" };
  }
  if (Array.isArray(value)) {
    const items = value.slice(offset, offset + Math.min(limit, maxCharacters));
    const count = countFitting(items, maxCharacters, (item, max) => measure(item, max) + 1);
    return { value: items.slice(0, count), count, total: value.length, unit: "items" };
  }
  if (!isJsonObject(value)) return undefined;
  const keys = keysOf(value);
  const names = keys.slice(offset, offset + Math.min(limit, maxCharacters));
  const count = countFitting(
    names,
    maxCharacters,
    (name, max) => lengthOf(name, max) + 2 + measure(value[name], max),
  );
  const part = Object.fromEntries(names.slice(0, count).map((name) => [name, value[name]]));
  return { value: part, count, total: keys.length, unit: "fields" };
}

/** How many parts fit, but at least one. */
function countFitting<Part>(
  parts: readonly Part[],
  max: number,
  sizeOf: (part: Part, max: number) => number,
): number {
  let left = max - 2;
  const count = parts.findIndex((part) => {
    left -= sizeOf(part, left);
    return left < 0;
  });
  return count === -1 ? parts.length : Math.max(1, count);
}

/** Characters of a text. A surrogate pair is one character that counts as two, so it is not cut. */
function textFrom(text: string, { offset, limit, maxCharacters }: Range): string {
  let count = Math.min(limit, maxCharacters);
  for (;;) {
    const end = offset + count;
    const isPair = /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(end - 1, end + 1));
    const part = text.slice(offset, isPair ? end + 1 : end);
    if (count <= 1 || lengthOf(part, maxCharacters) <= maxCharacters) return part;
    count = Math.floor(count / 2);
  }
}

/** The value at a JSON Pointer (RFC 6901, section 4), which may lack its first slash; undefined if there is none. */
export function valueAt(value: unknown, pointer: string): unknown {
  if (pointer === "") return value;
  let current = value;
  for (const key of pointerParts(pointer.startsWith("/") ? pointer : `/${pointer}`)) {
    if (Array.isArray(current)) current = /^\d{1,9}$/.test(key) ? current[Number(key)] : undefined;
    else current = isJsonObject(current) && Object.hasOwn(current, key) ? current[key] : undefined;
    if (current === undefined) return undefined;
  }
  return current;
}
