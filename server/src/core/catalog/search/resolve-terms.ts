import type { Bm25 } from "./bm25.ts";
import { hashPair } from "./inverted-index.ts";
import type { InvertedIndex, Posting } from "./inverted-index.ts";
import type { Lexicon } from "./lexicon/lexicon.ts";
import type { createNearTerms, Alternative } from "./near-terms.ts";
import type { ParsedQuery, QueryTerm } from "./query.ts";
import { stem } from "./analyze.ts";

/** A posting that matches a query term, and the weight of each of its scores. */
export type WeighedPosting = { posting: Posting; weight: number };

/** What a query term stands for in an index. A tool scores by the best of its postings. */
export type ResolvedTerm = {
  postings: WeighedPosting[];
  /** The weight of a perfect match. */
  idealWeight: number;
};

export type TermContext = {
  index: InvertedIndex;
  bm25: Bm25;
  lexicon: Lexicon;
  near: ReturnType<typeof createNearTerms>;
};

/** Weight in the ideal score of a query word that no tool contains: it is often a value, such as a city. */
const unknownShare = 0.5;
/** Only the rarest terms count, which bounds the work for a query of many common words. */
const maxQueryTerms = 100;
/** Comparing letters takes longer than looking up words, so it is bounded. */
const maxNearWords = 8;
const joinedWeight = 0.8;
const splitWeight = 0.5;
const minJoined = 6;
/** Keeps the score of a similar word below that of the word itself, even in a short text. */
const weakFactor = 1.25;
const correctedWeight = 0.6;

/** Finds the postings of a query's terms and of their alternatives. */
export function resolveTerms(context: TermContext, query: ParsedQuery): ResolvedTerm[] {
  const own = new Set(query.sequence);
  const joined = joinedWords(context, query);
  let compared = 0;
  const resolved = query.terms.map((term) => {
    const posting = term.term === undefined ? undefined : context.index.terms.get(term.term);
    const alternatives = [...term.alternatives, ...(joined.get(term.term ?? "") ?? [])];
    const postings = weighAlternatives(context, alternatives, { term, posting, own });
    const isUnknown = posting === undefined && postings.length === 0 && term.term !== undefined;
    if (isUnknown && term.isExpected && compared < maxNearWords) {
      compared += 1;
      return resolveNear(context, term, own);
    }
    return toResolved(context, term, posting, postings);
  });
  return resolved
    .toSorted((left, right) => right.idealWeight - left.idealWeight)
    .slice(0, maxQueryTerms);
}

type Origin = { term: QueryTerm; posting: Posting | undefined; own: ReadonlySet<string> };

function weighAlternatives(
  { index, bm25 }: TermContext,
  alternatives: readonly Alternative[],
  { term, posting, own }: Origin,
): WeighedPosting[] {
  const maxIdf = posting === undefined ? Infinity : bm25.idf(posting);
  const found: WeighedPosting[] = [];
  for (const [other, weight] of alternatives) {
    const known = own.has(other) ? undefined : index.terms.get(other);
    if (known === undefined || known === posting) continue;
    // A rare alternative must not outweigh the word itself.
    const idf = Math.min(maxIdf, bm25.idf(known));
    found.push({ posting: known, weight: term.weight * weight * idf });
  }
  return found;
}

function toResolved(
  { bm25 }: TermContext,
  { term, weight, isExpected }: QueryTerm,
  posting: Posting | undefined,
  alternatives: WeighedPosting[],
): ResolvedTerm {
  if (posting !== undefined) {
    const own = weight * bm25.idf(posting);
    return { postings: [{ posting, weight: own }, ...alternatives], idealWeight: own };
  }
  const best = Math.max(0, ...alternatives.map((one) => one.weight));
  const missing = term === undefined ? 0 : weight * bm25.idfOfUnknown(term) * unknownShare;
  return { postings: alternatives, idealWeight: isExpected ? Math.max(best, missing) : 0 };
}

/** Takes a word that no tool has for a typing error, a prefix, or two words written as one. */
function resolveNear(
  context: TermContext,
  term: QueryTerm,
  own: ReadonlySet<string>,
): ResolvedTerm {
  const name = term.term ?? "";
  const isEnglish = context.lexicon.isEnglish(name);
  const near = context.near(term.word, name, isEnglish);
  const split = splitWord(context, term.word).map((posting) => ({
    posting,
    weight: term.weight * splitWeight * context.bm25.idf(posting),
  }));
  const found = [...weighAlternatives(context, near, { term, posting: undefined, own }), ...split];
  if (found.length > 0 || isEnglish) return toWeak(context, term, found);
  const corrected = context.lexicon
    .correctionsOf(term.word, name)
    .flatMap((other) => context.lexicon.alternativesTo(other))
    .map(([other, weight]): Alternative => [other, weight * correctedWeight]);
  const postings = weighAlternatives(context, corrected, { term, posting: undefined, own });
  return toWeak(context, term, postings);
}

/** A similar word is a weak match, however well a tool has it: its ideal is the word itself. */
function toWeak(context: TermContext, term: QueryTerm, postings: WeighedPosting[]): ResolvedTerm {
  const { idealWeight } = toResolved(context, term, undefined, []);
  const best = Math.max(0, ...postings.map(({ posting }) => context.bm25.idf(posting)));
  return { postings, idealWeight: Math.max(idealWeight, term.weight * best * weakFactor) };
}

/** Adjacent query words that tools write as one: "web site" for "website". */
function joinedWords({ index }: TermContext, { terms }: ParsedQuery): Map<string, Alternative[]> {
  const joined = new Map<string, Alternative[]>();
  for (const [position, { term, word }] of terms.entries()) {
    const next = terms[position + 1];
    if (term === undefined || next?.term === undefined) continue;
    const whole = stem(`${word}${next.word}`);
    if (whole.length < minJoined || !index.terms.has(whole)) continue;
    for (const part of [term, next.term]) {
      joined.set(part, [...(joined.get(part) ?? []), [whole, joinedWeight]]);
    }
  }
  return joined;
}

/** A posting of the tools that have a word as two adjacent words: "screen shot" for "screenshot". */
function splitWord({ index }: TermContext, word: string): Posting[] {
  if (word.length < minJoined) return [];
  for (let end = 2; end <= word.length - 2; end += 1) {
    const left = index.terms.get(stem(word.slice(0, end)));
    const right = left && index.terms.get(stem(word.slice(end)));
    if (left === undefined || right === undefined) continue;
    const pair = hashPair(left.number, right.number);
    const rarer = left.entries.length < right.entries.length ? left : right;
    const entries = rarer.entries.filter((_, at, all) =>
      index.documents[all[at - (at % 2)] ?? 0]?.pairs.includes(pair),
    );
    if (entries.length > 0)
      return [
        { ...rarer, term: `${left.term} ${right.term}`, entries, impacts: undefined, idfOf: -1 },
      ];
  }
  return [];
}
