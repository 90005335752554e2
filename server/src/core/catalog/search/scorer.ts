import { createBm25, saturate } from "./bm25.ts";
import type { Bm25 } from "./bm25.ts";
import { hashPair } from "./inverted-index.ts";
import type { InvertedIndex } from "./inverted-index.ts";
import { getLexicon } from "./lexicon/lexicon.ts";
import { createNearTerms } from "./near-terms.ts";
import type { ParsedQuery } from "./query.ts";
import { resolveTerms } from "./resolve-terms.ts";
import type { ResolvedTerm, TermContext, WeighedPosting } from "./resolve-terms.ts";

/** Valid until the next query. */
export type Scores = {
  bySlot: Float64Array;
  /** The score of a document of average length with every term in both name and description. */
  ideal: number;
  /** Share of a document's name and description that the query covers, each from 0 to 1, summed. */
  coverage(slot: number): number;
  /** Score of adjacent query words that are also adjacent in a document. */
  adjacency(slot: number): number;
};

/** A term once in the name and once in the description, both of average length. */
const idealFrequency = 3;
/** Weight of two adjacent query words that are also adjacent in a tool, relative to one word. */
const pairWeight = 0.3;

/** Creates the scorer of an index. Related words are alternatives: a tool scores by the best of them, not by their sum. */
export function createScorer(index: InvertedIndex): (query: ParsedQuery) => Scores {
  const context = {
    index,
    bm25: createBm25(index),
    lexicon: getLexicon(),
    near: createNearTerms(index.vocabulary),
  };
  const { bm25 } = context;
  let sums = new Float64Array(0);
  let best = new Float64Array(0);
  let queries = 0;
  return (query) => {
    queries += 1;
    const count = index.documents.length;
    if (sums.length < count) {
      sums = new Float64Array(Math.ceil(count * 1.25));
      best = new Float64Array(sums.length);
    } else {
      sums.fill(0, 0, count);
    }
    const terms = resolveTerms(context, query);
    let ideal = 0;
    for (const { postings, idealWeight } of terms) {
      ideal += saturate(idealFrequency) * idealWeight;
      const [first, ...others] = postings;
      if (first === undefined) continue;
      if (others.length === 0) addScores(sums, first, bm25.impactsOf(first.posting));
      else addBestScores(sums, best, postings, bm25);
    }
    markMeant(terms, queries);
    const pairs = pairsOf(context, query);
    return {
      bySlot: sums.subarray(0, count),
      ideal,
      coverage: (slot) => coverageOf(context, slot, queries),
      adjacency: (slot) => adjacencyOf(index, slot, pairs),
    };
  };
}

function addScores(
  sums: Float64Array,
  { posting: { entries }, weight }: WeighedPosting,
  impacts: Float32Array,
): void {
  for (let at = 0; at < entries.length; at += 2) {
    const slot = entries[at] ?? 0;
    sums[slot] = (sums[slot] ?? 0) + weight * (impacts[at >> 1] ?? 0);
  }
}

function addBestScores(
  sums: Float64Array,
  best: Float64Array,
  postings: readonly WeighedPosting[],
  bm25: Bm25,
): void {
  for (const { posting, weight } of postings) {
    const { entries } = posting;
    const impacts = bm25.impactsOf(posting);
    for (let at = 0; at < entries.length; at += 2) {
      const slot = entries[at] ?? 0;
      const score = weight * (impacts[at >> 1] ?? 0);
      if (score > (best[slot] ?? 0)) best[slot] = score;
    }
  }
  // The second visit of a slot adds nothing, because the first one clears it.
  for (const { posting } of postings) {
    const { entries } = posting;
    for (let at = 0; at < entries.length; at += 2) {
      const slot = entries[at] ?? 0;
      sums[slot] = (sums[slot] ?? 0) + (best[slot] ?? 0);
      best[slot] = 0;
    }
  }
}

/** Notes in each posting how much the query means it: fully, or as an alternative. */
function markMeant(terms: readonly ResolvedTerm[], query: number): void {
  for (const { postings, idealWeight } of terms) {
    for (const { posting, weight } of postings) {
      const meant = idealWeight === 0 ? 0 : Math.min(1, weight / idealWeight);
      posting.meant = posting.meantBy === query ? Math.max(posting.meant, meant) : meant;
      posting.meantBy = query;
    }
  }
}

function coverageOf({ index, bm25 }: TermContext, slot: number, query: number): number {
  const document = index.documents[slot];
  if (document === undefined) return 0;
  const share = (from: number, to: number) => {
    let covered = 0;
    let whole = 0;
    for (let at = from; at < to; at += 1) {
      const posting = document.postings[at];
      if (posting === undefined) continue;
      const idf = bm25.idf(posting);
      whole += idf;
      if (posting.meantBy === query) covered += idf * posting.meant;
    }
    return whole === 0 ? 0 : covered / whole;
  };
  const { nameEnd, descriptionStart, descriptionEnd } = document;
  return share(0, nameEnd) + share(descriptionStart, descriptionEnd);
}

/** Two adjacent query words, and the last document that they were found in. */
type Pair = { weight: number; foundIn: number };

function pairsOf({ index, bm25 }: TermContext, { sequence }: ParsedQuery): Map<number, Pair> {
  const pairs = new Map<number, Pair>();
  for (const [position, term] of sequence.entries()) {
    const left = index.terms.get(sequence[position - 1] ?? "");
    const right = index.terms.get(term);
    if (left === undefined || right === undefined) continue;
    const weight = pairWeight * Math.max(bm25.idf(left), bm25.idf(right));
    pairs.set(hashPair(left.number, right.number), { weight, foundIn: -1 });
  }
  return pairs;
}

function adjacencyOf(index: InvertedIndex, slot: number, pairs: Map<number, Pair>): number {
  const document = index.documents[slot];
  if (document === undefined || pairs.size === 0) return 0;
  let score = 0;
  for (let at = 0; at < document.pairs.length; at += 1) {
    const pair = pairs.get(document.pairs[at] ?? 0);
    if (pair === undefined || pair.foundIn === slot) continue;
    pair.foundIn = slot;
    // A word in the name counts twice.
    score += pair.weight * saturate(at < document.namePairs ? 2 : 1);
  }
  return score;
}
