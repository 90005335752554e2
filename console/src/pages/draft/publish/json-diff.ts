import type { Json } from "#lib/json";
import { isObject, isSameJson } from "#lib/json";

/** A difference between two values; undefined means that there is no value. */
export type Difference = { path: string; before: Json | undefined; after: Json | undefined };

/** A longer list would not be read. */
const maxDifferences = 200;

/** Compares two JSON values and returns at most 200 differences by JSON pointer. Array items are compared by index. */
export function jsonDifferences(before: Json | undefined, after: Json | undefined): Difference[] {
  const found: Difference[] = [];
  compare(before, after, "", found);
  return found;
}

function compare(
  before: Json | undefined,
  after: Json | undefined,
  path: string,
  found: Difference[],
): void {
  if (found.length >= maxDifferences || isSameJson(before, after)) return;
  const members = membersOf(before, after);
  if (members === undefined) {
    found.push({ path, before, after });
    return;
  }
  for (const [name, one, other] of members) {
    const step = name.replaceAll("~", "~0").replaceAll("/", "~1");
    compare(one, other, `${path}/${step}`, found);
  }
}

type Member = [name: string, before: Json | undefined, after: Json | undefined];

/** The pairs to compare one level deeper; undefined unless both values are arrays or both are objects. */
function membersOf(before: Json | undefined, after: Json | undefined): Member[] | undefined {
  if (Array.isArray(before) && Array.isArray(after)) {
    const length = Math.max(before.length, after.length);
    return Array.from({ length }, (_, at) => [String(at), before[at], after[at]]);
  }
  if (!isObject(before) || !isObject(after)) return undefined;
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const own = (value: typeof before, name: string) =>
    Object.hasOwn(value, name) ? value[name] : undefined;
  return Array.from(names, (name) => [name, own(before, name), own(after, name)]);
}
