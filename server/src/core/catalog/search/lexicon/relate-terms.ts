import { stem } from "../analyze.ts";
import type { Sense, Synset, WordNet } from "./read-wordnet.ts";

type Related = [term: string, others: [other: string, hundredths: number][]];

/** Weights of relations, for a word that always has the meaning in question. */
const weights = { same: 1, derived: 0.7, broader: 0.5, narrower: 0.35 };
const maxSenses = 3;
/** A meaning with more narrower ones is too general to stand for them. */
const maxNarrower = 12;
const minWeight = 0.12;
const maxOthers = 8;

/**
 * The related terms of each term, best first. A relation weighs less the rarer a word has the meaning: "run" seldom means
 * a score in baseball.
 */
export function relateTerms(
  { synsets, senses }: WordNet,
  isUsed: (term: string) => boolean,
): Related[] {
  const uses = countUses(senses);
  const related = new Map<string, Map<string, number>>();
  for (const [lemma, all] of senses) {
    if (!isWord(lemma)) continue;
    const term = stem(lemma);
    const total = sumOf(all);
    const shareOfLemma = (total + 1) / ((uses.get(term) ?? 0) + 1);
    const others = related.get(term) ?? new Map<string, number>();
    related.set(term, others);
    const parts = Map.groupBy(all, ({ partOfSpeech }) => partOfSpeech);
    for (const own of parts.values()) {
      const shareOfPart = (sumOf(own) + 1) / (total + parts.size);
      for (const { synset, count } of own.slice(0, maxSenses)) {
        const share =
          sumOf(own) > 0 ? (count + 0.5) / (sumOf(own) + 0.5 * own.length) : 1 / own.length;
        const confidence = Math.sqrt(
          Math.max(share, 0.05) * Math.max(shareOfPart, 0.1) * shareOfLemma,
        );
        for (const [word, weight] of relatedWords(synsets, synset, lemma)) {
          const other = stem(word.toLowerCase());
          if (other === term || !isWord(word)) continue;
          others.set(other, Math.max(others.get(other) ?? 0, weight * confidence));
        }
      }
    }
  }
  return [...related].flatMap(([term, others]): Related[] => {
    // Words that WordNet never counted are too rare to be in queries.
    if (!isUsed(term) && (uses.get(term) ?? 0) === 0) return [];
    const best = bestOf(others, isUsed);
    return best.length === 0 ? [] : [[term, best]];
  });
}

function bestOf(others: Map<string, number>, isUsed: (term: string) => boolean): Related[1] {
  return [...others]
    .filter(([other, weight]) => weight >= minWeight && isUsed(other))
    .toSorted((one, other) => other[1] - one[1])
    .slice(0, maxOthers)
    .map(([other, weight]) => [other, Math.round(weight * 100)]);
}

function relatedWords(
  synsets: ReadonlyMap<string, Synset>,
  id: string,
  lemma: string,
): [word: string, weight: number][] {
  const synset = synsets.get(id);
  if (synset === undefined) return [];
  const narrower = synset.pointers.filter(({ kind }) => kind === "~").length;
  const found = synset.words.map((word): [string, number] => [word, weights.same]);
  for (const { kind, target, from, to } of synset.pointers) {
    const words = synsets.get(target)?.words ?? [];
    const add = (some: readonly string[], weight: number) =>
      found.push(...some.map((word): [string, number] => [word, weight]));
    if (kind === "+" && synset.words[from - 1]?.toLowerCase() === lemma)
      add(words.slice(to - 1, to), weights.derived);
    else if (kind === "@") add(words, weights.broader);
    else if (kind === "&" || kind === "$" || (kind === "~" && narrower <= maxNarrower))
      add(words, weights.narrower);
  }
  return found;
}

/** The most frequent use of a lemma with each stem. */
function countUses(senses: ReadonlyMap<string, readonly Sense[]>): Map<string, number> {
  const uses = new Map<string, number>();
  for (const [lemma, all] of senses) {
    if (!isWord(lemma)) continue;
    const term = stem(lemma);
    uses.set(term, Math.max(uses.get(term) ?? 0, sumOf(all)));
  }
  return uses;
}

function sumOf(senses: readonly Sense[]): number {
  return senses.reduce((sum, { count }) => sum + count, 0);
}

/** Names and terms of several words are of no use. */
function isWord(word: string): boolean {
  return /^[a-z]{3,}$/.test(word);
}
