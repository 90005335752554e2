import { isJsonObject } from "#lib/json-object";
import { toPointer } from "#lib/pointer";

/** A part of a value of which only the start is shown. */
export type Shortened = {
  /** JSON Pointer (RFC 6901). */
  path: string;
  shown: number;
  total: number;
  unit: Unit;
};

type Unit = "items" | "characters" | "fields";

/** How much of each array, string and object is shown; the first that fits is taken. */
const previews = [
  { items: 50, characters: 5_000, fields: 200 },
  { items: 20, characters: 2_000, fields: 100 },
  { items: 10, characters: 1_000, fields: 50 },
  { items: 5, characters: 400, fields: 30 },
  { items: 3, characters: 150, fields: 20 },
  { items: 2, characters: 60, fields: 10 },
  { items: 1, characters: 20, fields: 5 },
  { items: 0, characters: 0, fields: 1 },
];
/** A deep value may have many shortened parts; the outer ones come first. */
const maxReported = 10;
/** Deeper values are left out of a preview. */
const maxDepth = 40;
/** Lone half of a surrogate pair at the end of a cut. */
const halfPair = /[\uD800-\uDBFF]$/;

/**
 * The value, or a preview of the same shape if its JSON is longer than `maxCharacters`, and which parts of it are shortened.
 * `path` is where the value is, for the paths of these parts, and `firstIndex` where an array was taken from. The work
 * depends on `maxCharacters`, not on the size of the value.
 */
export function shorten(
  value: unknown,
  maxCharacters: number,
  { path = "", firstIndex = 0 }: { path?: string; firstIndex?: number } = {},
): { value: unknown; shortened: Shortened[] } {
  if (measure(value, maxCharacters) <= maxCharacters) return { value, shortened: [] };
  for (const preview of previews) {
    const shortened: Shortened[] = [];
    const start = take(value, { preview, path, depth: 0, firstIndex, shortened });
    if (measure(start, maxCharacters) > maxCharacters) continue;
    const outerFirst = shortened.toSorted((one, other) => depthOf(one) - depthOf(other));
    return { value: start, shortened: outerFirst.slice(0, maxReported) };
  }
  return { value: null, shortened: [] };
}

/** About the length of the value as JSON; stops counting above `max`. */
export function measure(value: unknown, max: number): number {
  let sum = 0;
  const rest: unknown[] = [value];
  while (rest.length > 0 && sum <= max) {
    const next = rest.pop();
    if (typeof next === "string") sum += next.length + 2;
    else if (Array.isArray(next)) {
      sum += 2 + next.length;
      for (let index = 0; index < next.length && index <= max; index++) rest.push(next[index]);
    } else if (isJsonObject(next)) {
      sum += 2;
      for (const key in next) {
        sum += key.length + 4;
        if (sum > max) break;
        rest.push(next[key]);
      }
    } else sum += String(next).length;
  }
  return sum;
}

type Taking = {
  preview: { items: number; characters: number; fields: number };
  path: string;
  depth: number;
  /** The index of the first item of an array. */
  firstIndex?: number;
  shortened: Shortened[];
};

function take(value: unknown, taking: Taking): unknown {
  const { preview, path, depth, firstIndex = 0, shortened } = taking;
  const note = (shown: number, total: number, unit: Unit) => {
    if (shown < total) shortened.push({ path, shown, total, unit });
  };
  if (typeof value === "string") {
    const start = value.slice(0, preview.characters).replace(halfPair, "");
    note(start.length, value.length, "characters");
    return start;
  }
  const within = (child: unknown, key: string | number) =>
    take(child, { preview, path: path + toPointer([key]), depth: depth + 1, shortened });
  if (depth > maxDepth) return null;
  if (Array.isArray(value)) {
    const start = value.slice(0, preview.items);
    note(start.length, value.length, "items");
    return start.map((item, index) => within(item, firstIndex + index));
  }
  if (!isJsonObject(value)) return value;
  const keys = Object.keys(value);
  const shown = keys.slice(0, preview.fields);
  note(shown.length, keys.length, "fields");
  return Object.fromEntries(shown.map((key) => [key, within(value[key], key)]));
}

function depthOf({ path }: Shortened): number {
  return path.split("/").length;
}

/** A part of an array, a string or an object, from `offset`. */
export type Slice = { value: unknown; offset: number; total: number; unit: Unit };

/** Takes up to `limit` items, characters or fields. Undefined for a value that has no parts. */
export function sliceOf(
  value: unknown,
  { offset, limit }: { offset: number; limit: number },
): Slice | undefined {
  const end = offset + limit;
  if (typeof value === "string") {
    const part = value.slice(offset, end);
    const whole = end < value.length ? part.replace(halfPair, "") : part;
    return { value: whole, offset, total: value.length, unit: "characters" };
  }
  if (Array.isArray(value)) {
    return { value: value.slice(offset, end), offset, total: value.length, unit: "items" };
  }
  if (!isJsonObject(value)) return undefined;
  const keys = Object.keys(value);
  const part = Object.fromEntries(keys.slice(offset, end).map((key) => [key, value[key]]));
  return { value: part, offset, total: keys.length, unit: "fields" };
}

/** The value at a JSON Pointer (RFC 6901, section 4); undefined if there is none. */
export function valueAt(value: unknown, pointer: string): unknown {
  if (pointer === "") return value;
  let current = value;
  for (const token of pointer.replace(/^\//, "").split("/")) {
    const key = token.replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(current)) current = /^\d{1,9}$/.test(key) ? current[Number(key)] : undefined;
    else current = isJsonObject(current) && Object.hasOwn(current, key) ? current[key] : undefined;
    if (current === undefined) return undefined;
  }
  return current;
}
