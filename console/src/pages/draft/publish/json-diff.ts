import type { Json } from "#lib/json";
import { isObject, isSameJson } from "#lib/json";

/** A place where two values differ; undefined is what is not there. */
export type Difference = { path: string; before: Json | undefined; after: Json | undefined };

/** Beyond so many differences there is nothing to read any more. */
const most = 200;

/** Where two JSON values differ, by JSON pointer. Items of lists are compared by their places. At most 200 are given. */
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
  if (found.length >= most || isSameJson(before, after)) return;
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

/** What to compare below; undefined where the values are no two lists or objects. */
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
