import type { Match, ToolEntry } from "./tool-layer.ts";

/**
 * Shared tools of the same title that match the same words differ in their lengths only, so a copy with a terse description
 * would overtake the original. The older one scores at least as much; IDs sort by age.
 */
export function preferOlder(
  matches: readonly Match[],
  termsOf: (tool: ToolEntry) => ReadonlySet<unknown>,
): readonly Match[] {
  const shared = matches.filter(({ item }) => item.isShared);
  const titled = Map.groupBy(shared, ({ item }) => item.title);
  if (titled.size === shared.length) return matches;
  const raised = new Map<string, number>();
  for (const same of titled.values()) {
    if (same.length === 1) continue;
    const known = same.map(({ item, score }) => ({ id: item.id, score, terms: termsOf(item) }));
    for (const older of known) {
      const newer = known.filter(({ id, terms }) => id > older.id && terms.isSubsetOf(older.terms));
      raised.set(older.id, Math.max(older.score, ...newer.map(({ score }) => score)));
    }
  }
  return matches.map(({ item, score }) => ({ item, score: raised.get(item.id) ?? score }));
}
