import { isJsonObject } from "#lib/json-object";
import { toPointer } from "#lib/pointer";
import { keysOf, lengthOf, measure } from "./measure-json.ts";

/** A part of a value of which only the start is shown. */
export type Shortened = {
  /** JSON Pointer (RFC 6901). */
  path: string;
  shown: number;
  total: number;
  unit: Unit;
};

export type Unit = "items" | "characters" | "fields";

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
  // Even a single field may have a name that is too long.
  { items: 0, characters: 0, fields: 0 },
];
/** A deep value may have many shortened parts; the outer ones come first. */
const maxReported = 10;
/** Deeper arrays and objects are shown empty. */
const maxDepth = 40;
/** Lone half of a surrogate pair at the end of a cut. */
const halfPair = /[\uD800-\uDBFF]$/;

/**
 * The value, or a preview of the same shape if its JSON is longer than `maxCharacters`, and which parts of it are shortened:
 * together they fit, and a preview has at least one such part. `path` is where the value is, for the paths of these parts,
 * and `firstIndex` where an array was taken from. The work depends on `maxCharacters`, not on the size of the value.
 */
export function shorten(
  value: unknown,
  maxCharacters: number,
  { path = "", firstIndex = 0 }: { path?: string; firstIndex?: number } = {},
): { value: unknown; shortened: Shortened[] } {
  if (measure(value, maxCharacters) <= maxCharacters) return { value, shortened: [] };
  let fitting: ReturnType<typeof shorten> = { value: null, shortened: [] };
  for (const preview of previews) {
    const cuts: Shortened[] = [];
    const budget = { left: maxCharacters };
    const start = take(value, { preview, path, depth: 0, firstIndex, shortened: cuts, budget });
    const outerFirst = cuts.toSorted((one, other) => depthOf(one) - depthOf(other));
    fitting = { value: start, shortened: outerFirst.slice(0, maxReported) };
    if (measure(fitting.shortened, maxCharacters) <= budget.left) break;
  }
  return fitting;
}

type Taking = {
  preview: { items: number; characters: number; fields: number };
  path: string;
  depth: number;
  /** The index of the first item of an array. */
  firstIndex?: number;
  shortened: Shortened[];
  /** The characters that are left. Once there are none, the preview does not fit, and the rest is not looked at. */
  budget: { left: number };
};

function take(value: unknown, taking: Taking): unknown {
  const { preview, path, depth, firstIndex = 0, shortened, budget } = taking;
  if (budget.left < 0) return null;
  const note = (shown: number, total: number, unit: Unit) => {
    if (shown < total) shortened.push({ path, shown, total, unit });
  };
  if (typeof value === "string") {
    const start = value.slice(0, preview.characters).replace(halfPair, "");
    budget.left -= lengthOf(start, budget.left);
    note(start.length, value.length, "characters");
    return start;
  }
  const within = (child: unknown, key: string | number) =>
    take(child, { preview, path: path + toPointer([key]), depth: depth + 1, shortened, budget });
  if (Array.isArray(value)) {
    const start = depth > maxDepth ? [] : value.slice(0, preview.items);
    budget.left -= 2 + start.length;
    note(start.length, value.length, "items");
    return start.map((item, index) => within(item, firstIndex + index));
  }
  if (!isJsonObject(value)) {
    budget.left -= String(value).length;
    return value;
  }
  const keys = keysOf(value);
  const shown = depth > maxDepth ? [] : keys.slice(0, preview.fields);
  budget.left -= shown.reduce((sum, key) => sum + lengthOf(key, budget.left) + 2, 2);
  note(shown.length, keys.length, "fields");
  return Object.fromEntries(shown.map((key) => [key, within(value[key], key)]));
}

function depthOf({ path }: Shortened): number {
  return path.split("/").length;
}
