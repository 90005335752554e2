import { wordsToMatch } from "./analyze.ts";
import { createShortlist } from "./shortlist.ts";
import type { ToolEntry, ToolLayer } from "./tool-layer.ts";
import { wordSimilarity } from "./word-similarity.ts";

/** Caps the score of similar words, which are always a weak match. */
const nearWeight = 0.5;
/** Comparing letters takes longer than looking up words, so it is bounded. */
const maxNearWords = 5;
const maxNearTools = 2_000;

/** Search as you type, tolerating typing errors: the tools whose names have a word similar to each of the query. */
export function searchNear(
  layers: readonly ToolLayer[],
  query: string,
  limit: number,
): readonly { item: ToolEntry; score: number }[] {
  const typed = wordsToMatch(query).slice(0, maxNearWords);
  const best = createShortlist<ToolEntry>(limit);
  if (typed.length === 0) return [];
  for (const tool of newestOf(layers)) {
    const likeness = typed.map((forms) =>
      Math.max(0, ...tool.words.flatMap((word) => forms.map((form) => wordSimilarity(form, word)))),
    );
    // Every word has to match: one similar word of several is a coincidence.
    if (likeness.includes(0)) continue;
    const score = (nearWeight * likeness.reduce((sum, one) => sum + one, 0)) / typed.length;
    if (score >= best.minScore()) best.add(tool, score);
  }
  return best.list();
}

/** The newest tools of each layer. */
function newestOf(layers: readonly ToolLayer[]): ToolEntry[] {
  return layers.flatMap(({ entries }) =>
    Iterator.from(entries.values())
      .drop(Math.max(0, entries.size - maxNearTools))
      .toArray(),
  );
}
