import { saturate } from "./bm25.ts";
import type { Bm25 } from "./bm25.ts";
import { hashPair } from "./inverted-index.ts";
import type { InvertedIndex, Posting } from "./inverted-index.ts";
import { getLexicon } from "./lexicon/lexicon.ts";
import type { ParsedQuery } from "./query.ts";
import { findTerm, resolveTerms } from "./resolve-terms.ts";
import type { Layer, ResolvedTerm, TermContext } from "./resolve-terms.ts";

/** The scores of the documents of a layer. Valid until the next query. */
type LayerScores = {
  bySlot: Float64Array;
  /** Share of a document's name and description that the query covers, each from 0 to 1, summed. */
  coverage(slot: number): number;
  /** The terms of a document that the query means. */
  matched(slot: number): ReadonlySet<Posting>;
  /** Score of adjacent query words that are also adjacent in a document. */
  adjacency(slot: number): number;
};

export type Scores = {
  layers: LayerScores[];
  /** The score of a document of average length with every term in both name and description. */
  ideal: number;
};

/** A term once in the name and once in the description, both of average length. */
const idealFrequency = 3;
/** Weight of two adjacent query words that are also adjacent in a tool, relative to one word. */
const pairWeight = 0.3;
/** In longer names and descriptions, a pair counts less: a text of all words has many by coincidence. */
const maxNamePairs = 10;
const maxTextPairs = 60;

/**
 * Creates the scorer of layers by the statistics of the first one, which each query has to cover. Related words are
 * alternatives: a tool scores by the best of them, not by their sum.
 */
export function createScorer(bm25: Bm25): (query: ParsedQuery, layers: readonly Layer[]) => Scores {
  const buffers: Buffers[] = [];
  let queries = 0;
  return (query, layers) => {
    queries += 1;
    const context = { layers, bm25, lexicon: getLexicon() };
    const terms = resolveTerms(context, query);
    markMeant(terms, queries);
    const pairWeights = weighPairs(context, query);
    const scored = layers.map(({ index }, at): LayerScores => {
      const count = index.documents.length;
      const buffer = (buffers[at] = prepare(buffers[at], count));
      for (const { matches } of terms) {
        const found = matches.flatMap(({ postings, weight }) => {
          const posting = postings[at];
          return posting === undefined ? [] : [{ posting, weight }];
        });
        addScores(index, buffer, found, bm25);
      }
      const pairs = pairsOf(index, pairWeights);
      return {
        bySlot: buffer.sums.subarray(0, count),
        matched: (slot) => new Set(matchedIn(index, slot, queries)),
        coverage: (slot) => coverageOf(index, bm25, slot, queries),
        adjacency: (slot) => adjacencyOf(index, slot, pairs),
      };
    });
    const ideal = terms.reduce((sum, { idealWeight }) => sum + idealWeight, 0);
    return { layers: scored, ideal: saturate(idealFrequency) * ideal };
  };
}

/** The sums of a layer by slot, and the best score of the current term, which is 0 between terms. */
type Buffers = { sums: Float64Array; best: Float64Array };

/** Clears buffers for a number of slots, or creates larger ones. */
function prepare(buffers: Buffers | undefined, count: number): Buffers {
  if (buffers !== undefined && buffers.sums.length >= count) {
    buffers.sums.fill(0, 0, count);
    return buffers;
  }
  const size = Math.ceil(count * 1.25);
  return { sums: new Float64Array(size), best: new Float64Array(size) };
}

type WeighedPosting = { posting: Posting; weight: number };

/** Adds the best score of each document for one of the postings. */
function addScores(
  index: InvertedIndex,
  { sums, best }: Buffers,
  postings: readonly WeighedPosting[],
  bm25: Bm25,
): void {
  const [first] = postings;
  if (first === undefined) return;
  if (postings.length === 1) {
    const { posting, weight } = first;
    addPosting(sums, posting.entries, weight, bm25.impactsOf(index, posting));
    return;
  }
  for (const { posting, weight } of postings) {
    const { entries } = posting;
    const impacts = bm25.impactsOf(index, posting);
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

function addPosting(
  sums: Float64Array,
  entries: readonly number[],
  weight: number,
  impacts: Float32Array,
): void {
  for (let at = 0; at < entries.length; at += 2) {
    const slot = entries[at] ?? 0;
    sums[slot] = (sums[slot] ?? 0) + weight * (impacts[at >> 1] ?? 0);
  }
}

/** Notes in each posting how much the query means it: fully, or as an alternative. */
function markMeant(terms: readonly ResolvedTerm[], query: number): void {
  for (const { matches, idealWeight } of terms) {
    for (const { postings, weight } of matches) {
      const meant = idealWeight === 0 ? 0 : Math.min(1, weight / idealWeight);
      for (const posting of postings) {
        if (posting === undefined) continue;
        posting.meant = posting.meantBy === query ? Math.max(posting.meant, meant) : meant;
        posting.meantBy = query;
      }
    }
  }
}

function matchedIn(index: InvertedIndex, slot: number, query: number): Posting[] {
  const { postings = [] } = index.documents[slot] ?? {};
  return postings.filter(({ meantBy }) => meantBy === query);
}

function coverageOf(index: InvertedIndex, bm25: Bm25, slot: number, query: number): number {
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

type WeighedPair = { left: string; right: string; weight: number };

/** The adjacent words of a query that tools have. */
function weighPairs(context: TermContext, { sequence }: ParsedQuery): WeighedPair[] {
  const found = sequence.map((term) => findTerm(context, term));
  return found.slice(1).flatMap((right, position) => {
    const left = found[position];
    if (left === undefined || right === undefined) return [];
    const weight = pairWeight * Math.max(left.idf, right.idf);
    return [{ left: left.term, right: right.term, weight }];
  });
}

/** Two adjacent query words, and the last document that they were found in. */
type Pair = { weight: number; foundIn: number };

function pairsOf(index: InvertedIndex, weighed: readonly WeighedPair[]): Map<number, Pair> {
  const pairs = new Map<number, Pair>();
  for (const { left, right, weight } of weighed) {
    const [first, second] = [index.terms.get(left), index.terms.get(right)];
    if (first === undefined || second === undefined) continue;
    pairs.set(hashPair(first.number, second.number), { weight, foundIn: -1 });
  }
  return pairs;
}

function adjacencyOf(index: InvertedIndex, slot: number, pairs: Map<number, Pair>): number {
  const document = index.documents[slot];
  if (document === undefined || pairs.size === 0) return 0;
  const { namePairs, pairs: found } = document;
  const inName = saturate(2 * Math.min(1, maxNamePairs / namePairs));
  const inDescription = saturate(Math.min(1, maxTextPairs / (found.length - namePairs)));
  let score = 0;
  for (let at = 0; at < document.pairs.length; at += 1) {
    const pair = pairs.get(document.pairs[at] ?? 0);
    if (pair === undefined || pair.foundIn === slot) continue;
    pair.foundIn = slot;
    // A word in the name counts twice.
    score += pair.weight * (at < document.namePairs ? inName : inDescription);
  }
  return score;
}
