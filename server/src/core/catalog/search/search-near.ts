import { wordsToMatch } from "./analyze.ts";
import { createShortlist } from "./shortlist.ts";
import { wordSimilarity } from "./word-similarity.ts";

type Named = { id: string; words: readonly string[] };

/** Caps the score of similar words, which are always a weak match. */
const nearWeight = 0.5;
/** Comparing letters takes longer than looking up words, so it is bounded. */
const maxNearWords = 5;
const maxNearTools = 2_000;

/** Search as you type, tolerating typing errors: the allowed tools whose names have a word similar to each of the query. */
export function searchNear(
  tools: Iterable<Named>,
  query: string,
  limit: number,
  isAllowed: (id: string) => boolean,
): { id: string; score: number }[] {
  const typed = wordsToMatch(query).slice(0, maxNearWords);
  const best = createShortlist<Named>(limit);
  if (typed.length === 0) return [];
  let compared = 0;
  // The newest first.
  for (const tool of [...tools].toReversed()) {
    // Tools of others do not count, so that they change nothing in what a caller finds.
    if (!isAllowed(tool.id)) continue;
    compared += 1;
    if (compared > maxNearTools) break;
    const likeness = typed.map((forms) =>
      Math.max(0, ...tool.words.flatMap((word) => forms.map((form) => wordSimilarity(form, word)))),
    );
    // Every word has to match: one similar word of several is a coincidence.
    if (likeness.includes(0)) continue;
    const score = (nearWeight * likeness.reduce((sum, one) => sum + one, 0)) / typed.length;
    if (score >= best.minScore()) best.add(tool, score);
  }
  return best.list().map(({ item, score }) => ({ id: item.id, score }));
}
