import { editDistance } from "#lib/edit-distance";
import { wordsLike } from "./vocabulary.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** A term that may be meant instead of another, and how likely it is, from 0 to 1. */
export type Alternative = [term: string, weight: number];

const maxNear = 5;
const minLength = 4;
/** From this length on, two typing errors still leave a recognizable word. */
const longWord = 8;
const slipWeight = 0.6;
const prefixWeight = 0.5;
const maxCached = 5_000;
/**
 * Words that are compared for one word, those of about its length first. A vocabulary of honest tools has fewer that start
 * with one letter; a hostile one could have a million.
 */
const maxCompared = 4_000;

/** Finds words that are similar to a word, given as typed and as a term. */
type FindNear = (word: string, term: string, isEnglish: boolean) => readonly Alternative[];

/**
 * Finds words of a vocabulary that a word may be a typing error of, or an unfinished form of. A correct English word is
 * not taken for a typing error, since "coast" does not mean "cost".
 */
export function createNearTerms(vocabulary: Vocabulary): FindNear {
  let cache = new Map<string, readonly Alternative[]>();
  let revision = vocabulary.revision;
  return (word, term, isEnglish) => {
    if (revision !== vocabulary.revision || cache.size >= maxCached) {
      cache = new Map();
      revision = vocabulary.revision;
    }
    const known = cache.get(word);
    if (known !== undefined) return known;
    const found = findNear(vocabulary, word, term, isEnglish);
    cache.set(word, found);
    return found;
  };
}

function findNear(
  vocabulary: Vocabulary,
  word: string,
  term: string,
  isEnglish: boolean,
): Alternative[] {
  if (term.length < minLength) return [];
  const found = new Map<string, number>();
  let compared = 0;
  for (const form of new Set([term, word])) {
    const lengths = { min: Math.max(minLength, Math.ceil(form.length / 2)), max: form.length * 2 };
    for (const other of wordsLike(vocabulary, form, lengths)) {
      compared += 1;
      if (compared > maxCompared) break;
      if (other === term) continue;
      const weight = Math.max(
        form === term ? prefixSimilarity(form, other) : 0,
        isEnglish ? 0 : slipSimilarity(form, other),
      );
      if (weight > (found.get(other) ?? 0)) found.set(other, weight);
    }
  }
  return bestOf(found);
}

/** The best of the similar words that several vocabularies have. */
export function mergeNear(all: readonly (readonly Alternative[])[]): readonly Alternative[] {
  return all.length === 1 ? (all[0] ?? []) : bestOf(new Map(all.flat()));
}

function bestOf(found: ReadonlyMap<string, number>): Alternative[] {
  return [...found]
    .toSorted((left, right) => right[1] - left[1] || (left[0] < right[0] ? -1 : 1))
    .slice(0, maxNear);
}

function prefixSimilarity(one: string, other: string): number {
  if (!one.startsWith(other) && !other.startsWith(one)) return 0;
  return (prefixWeight * Math.min(one.length, other.length)) / Math.max(one.length, other.length);
}

function slipSimilarity(one: string, other: string): number {
  const maxSlips = one.length >= longWord ? 2 : 1;
  if (Math.abs(one.length - other.length) > maxSlips) return 0;
  const slips = editDistance(one, other, maxSlips);
  return slips > maxSlips ? 0 : slipWeight * (1 - slips / Math.max(one.length, other.length));
}
