/** The byte offsets of an encoded value in the text. */
export type SecretMatch = { from: number; to: number; name: string };

/** Sorts matches and merges overlapping ones, under the name of the longest. */
export function mergeMatches(matches: readonly SecretMatch[]): SecretMatch[] {
  if (matches.length === 0) return [];
  const merged: (SecretMatch & { longest: number })[] = [];
  for (const match of matches.toSorted((one, other) => one.from - other.from)) {
    const last = merged.at(-1);
    const length = match.to - match.from;
    if (last === undefined || match.from >= last.to) {
      merged.push({ ...match, longest: length });
      continue;
    }
    last.to = Math.max(last.to, match.to);
    if (length > last.longest) [last.name, last.longest] = [match.name, length];
  }
  return merged.map(({ from, to, name }) => ({ from, to, name }));
}
