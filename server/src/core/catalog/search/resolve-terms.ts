import type { Bm25 } from "./bm25.ts";
import { hashPair } from "./inverted-index.ts";
import type { InvertedIndex, Posting } from "./inverted-index.ts";
import type { Lexicon } from "./lexicon/lexicon.ts";
import { mergeNear } from "./near-terms.ts";
import type { createNearTerms, Alternative } from "./near-terms.ts";
import type { ParsedQuery, QueryTerm } from "./query.ts";
import { stem } from "./analyze.ts";

/** An index that a search covers, and how to find similar words in it. */
export type Layer = { index: InvertedIndex; near: ReturnType<typeof createNearTerms> };

/** Where a term occurs: its posting in each layer, of which at least one is defined. */
type Occurrences = readonly (Posting | undefined)[];

/** How a term stands for a query term: as the term itself, a related, similar, joined or split word. */
type Relation = "same" | "related" | "similar" | "joined";

/** A term that matches a query term, and the weight of each of its scores. */
export type WeighedTerm = FoundTerm & { weight: number; relation: Relation };

/** What a query term stands for in the layers. A tool scores by the best of the matches. */
export type ResolvedTerm = {
  of: QueryTerm;
  matches: WeighedTerm[];
  /** The weight of a perfect match. */
  idealWeight: number;
};

/** What a search covers: the layers that its user may see. */
export type TermContext = { layers: readonly Layer[]; bm25: Bm25; lexicon: Lexicon };

type FoundTerm = { term: string; postings: Occurrences; idf: number };

/** Finds a term in the layers. */
export function findTerm({ layers, bm25 }: TermContext, term: string): FoundTerm | undefined {
  // Most terms of a query occur in no layer, so nothing is allocated for them.
  for (const layer of layers) {
    const posting = layer.index.terms.get(term);
    if (posting === undefined) continue;
    const postings =
      layers.length === 1 ? [posting] : layers.map(({ index }) => index.terms.get(term));
    return { term, postings, idf: bm25.idf(posting) };
  }
  return undefined;
}

/** Weight in the ideal score of a query word that no tool contains: it is often a value, such as a city. */
const unknownShare = 0.5;
/** Only the rarest terms count, which bounds the work for a query of many common words. */
const maxQueryTerms = 100;
/** Comparing letters takes longer than looking up words, so it is bounded. */
const maxNearWords = 8;
/** A word that more tools have is likely to be the name of something. */
const maxOddTools = 3;
const joinedWeight = 0.8;
const splitWeight = 0.5;
const minJoined = 6;
/** Keeps the score of a similar word below that of the word itself, even in a short text. */
const weakFactor = 1.25;
const correctedWeight = 0.6;

/** Finds the terms of a query and their alternatives. */
export function resolveTerms(context: TermContext, query: ParsedQuery): ResolvedTerm[] {
  const own = new Set(query.sequence);
  const joined = joinedWords(context, query);
  let compared = 0;
  const resolved = query.terms.map((term) => {
    const found = term.term === undefined ? undefined : findTerm(context, term.term);
    const origin = { term, found, own };
    const whole = joined.get(term.term ?? "") ?? [];
    const matches = [
      ...weighAlternatives(context, term.alternatives, origin, "related"),
      ...weighAlternatives(context, whole, origin, "joined"),
    ];
    const isUnknown = found === undefined && matches.length === 0 && term.term !== undefined;
    const isDoubtful = isUnknown || isRareOddity(context, found);
    if (!isDoubtful || !term.isExpected || compared >= maxNearWords)
      return toResolved(context, term, found, matches);
    compared += 1;
    return isUnknown
      ? resolveNear(context, term, own)
      : toResolved(context, term, found, [...matches, ...similarTo(context, term, own)]);
  });
  return resolved
    .toSorted((left, right) => right.idealWeight - left.idealWeight)
    .slice(0, maxQueryTerms);
}

/**
 * Whether a word is not English and only a few tools have it, who may have it only to be found for typing errors: the
 * tools with similar words are found as well.
 */
function isRareOddity({ lexicon }: TermContext, found: FoundTerm | undefined): boolean {
  if (found === undefined || lexicon.isEnglish(found.term)) return false;
  const entries = found.postings.reduce((sum, posting) => sum + (posting?.entries.length ?? 0), 0);
  return entries / 2 <= maxOddTools;
}

type Origin = { term: QueryTerm; found: FoundTerm | undefined; own: ReadonlySet<string> };

function weighAlternatives(
  context: TermContext,
  alternatives: readonly Alternative[],
  { term, found, own }: Origin,
  relation: Relation,
): WeighedTerm[] {
  const maxIdf = found?.idf ?? Infinity;
  const weighed: WeighedTerm[] = [];
  for (const [other, weight] of alternatives) {
    const known = own.has(other) ? undefined : findTerm(context, other);
    if (known === undefined || other === term.term) continue;
    // A rare alternative must not outweigh the word itself.
    const idf = Math.min(maxIdf, known.idf);
    weighed.push({ ...known, weight: term.weight * weight * idf, relation });
  }
  return weighed;
}

function toResolved(
  { bm25 }: TermContext,
  of: QueryTerm,
  found: FoundTerm | undefined,
  alternatives: WeighedTerm[],
): ResolvedTerm {
  const { term, weight, isExpected } = of;
  if (found !== undefined) {
    const own = { ...found, weight: weight * found.idf, relation: "same" as const };
    return { of, matches: [own, ...alternatives], idealWeight: own.weight };
  }
  const best = Math.max(0, ...alternatives.map((one) => one.weight));
  const missing = term === undefined ? 0 : weight * bm25.idfOf(term) * unknownShare;
  return { of, matches: alternatives, idealWeight: isExpected ? Math.max(best, missing) : 0 };
}

/** Takes a word that no tool has for a typing error, a prefix, or two words written as one. */
function resolveNear(
  context: TermContext,
  term: QueryTerm,
  own: ReadonlySet<string>,
): ResolvedTerm {
  const name = term.term ?? "";
  const isEnglish = context.lexicon.isEnglish(name);
  const found = similarTo(context, term, own);
  if (found.length > 0 || isEnglish) return toWeak(context, term, found);
  const corrected = context.lexicon
    .correctionsOf(term.word, name)
    .flatMap((other) => context.lexicon.alternativesTo(other))
    .map(([other, weight]): Alternative => [other, weight * correctedWeight]);
  const origin = { term, found: undefined, own };
  return toWeak(context, term, weighAlternatives(context, corrected, origin, "similar"));
}

/** Words that a word may be a typing error or prefix of, or that it is joined from. */
function similarTo(context: TermContext, term: QueryTerm, own: ReadonlySet<string>): WeighedTerm[] {
  const name = term.term ?? "";
  const isEnglish = context.lexicon.isEnglish(name);
  const near = mergeNear(context.layers.map((layer) => layer.near(term.word, name, isEnglish)));
  const split = splitWord(context, term.word).map((found) => ({
    ...found,
    weight: term.weight * splitWeight * found.idf,
    relation: "joined" as const,
  }));
  const origin = { term, found: undefined, own };
  return [...weighAlternatives(context, near, origin, "similar"), ...split];
}

/** A similar word is a weak match, however well a tool has it: its ideal is the word itself. */
function toWeak(context: TermContext, term: QueryTerm, matches: WeighedTerm[]): ResolvedTerm {
  const { idealWeight } = toResolved(context, term, undefined, []);
  const best = Math.max(0, ...matches.map(({ idf }) => idf));
  return {
    of: term,
    matches,
    idealWeight: Math.max(idealWeight, term.weight * best * weakFactor),
  };
}

/** Adjacent query words that tools write as one: "web site" for "website". */
function joinedWords({ layers }: TermContext, { terms }: ParsedQuery): Map<string, Alternative[]> {
  const joined = new Map<string, Alternative[]>();
  for (const [position, { term, word }] of terms.entries()) {
    const next = terms[position + 1];
    if (term === undefined || next?.term === undefined) continue;
    const whole = stem(`${word}${next.word}`);
    if (whole.length < minJoined || !layers.some(({ index }) => index.terms.has(whole))) continue;
    for (const part of [term, next.term]) {
      joined.set(part, [...(joined.get(part) ?? []), [whole, joinedWeight]]);
    }
  }
  return joined;
}

/** The tools that have a word as two adjacent words: "screen shot" for "screenshot". */
function splitWord({ layers, bm25 }: TermContext, word: string): FoundTerm[] {
  if (word.length < minJoined) return [];
  for (let end = 2; end <= word.length - 2; end += 1) {
    const left = stem(word.slice(0, end));
    // Stemming takes longer than looking up.
    if (!layers.some(({ index }) => index.terms.has(left))) continue;
    const right = stem(word.slice(end));
    const postings = layers.map(({ index }) => findAdjacent(index, left, right));
    if (postings.every((posting) => posting === undefined)) continue;
    const term = `${left} ${right}`;
    // The first layer has the statistics.
    return [{ term, postings, idf: bm25.idfOf(term, (postings[0]?.entries.length ?? 0) / 2) }];
  }
  return [];
}

/** A posting of the documents in which two terms are adjacent. */
function findAdjacent(index: InvertedIndex, first: string, second: string): Posting | undefined {
  const left = index.terms.get(first);
  const right = left && index.terms.get(second);
  if (left === undefined || right === undefined) return undefined;
  const pair = hashPair(left.number, right.number);
  const rarer = left.entries.length < right.entries.length ? left : right;
  const entries = rarer.entries.filter((_, at, all) =>
    index.documents[all[at - (at % 2)] ?? 0]?.pairs.includes(pair),
  );
  return entries.length === 0 ? undefined : { ...rarer, entries, impacts: undefined };
}
