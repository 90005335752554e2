import {
  countDocuments,
  pairsOf,
  type InvertedIndex,
  type PerField,
  type Posting,
  unpackFrequency,
} from "./inverted-index.ts";

/** Scores by slot, and the score of a document of average length with every term in both name and description. */
export type Scores = { bySlot: Float64Array; ideal: number };

type Weighed = { posting: Posting | undefined; weight: number };

// Tuned on public sets of queries and tools: a word in the name weighs most.
const fieldWeights: PerField = [2, 1, 0.5, 0.5];
const k1 = 1.2;
const b = 0.75;

/** A term once in the name and once in the description, both of average length. */
const idealFrequency = 3;

/** Weight of two adjacent query words that are also adjacent in a tool, relative to one word. */
const pairWeight = 0.3;

/** Weight in the ideal score of a query word that no tool contains: it is often a value, such as a city. */
const unknownShare = 0.5;

/** Only the rarest terms count, which bounds the work for a query of many common words. */
const maxQueryTerms = 100;

/**
 * Creates the BM25F scorer of an index; it takes the terms of a query in order, with repeats. Frequencies are
 * weighted by field and summed before they saturate, so a word in three fields is not three matches.
 */
export function createBm25Scorer(index: InvertedIndex): (query: readonly string[]) => Scores {
  let norms = new Float32Array(0);
  let revision = -1;
  return (query) => {
    if (revision !== index.revision) {
      norms = fieldNorms(index);
      revision = index.revision;
    }
    const bySlot = new Float64Array(index.documents.length);
    let ideal = 0;
    for (const { posting, weight } of rarest(weighWords(index, query))) {
      ideal += saturate(idealFrequency) * weight * (posting === undefined ? unknownShare : 1);
      if (posting !== undefined) addScores(bySlot, posting.entries, weight, norms);
    }
    // Pairs are a bonus: a tool with all the words in another order also covers the query.
    for (const { posting, weight } of rarest(weighPairs(index, query))) {
      if (posting !== undefined) addScores(bySlot, posting.entries, weight, norms);
    }
    return { bySlot, ideal };
  };
}

function weighWords(index: InvertedIndex, query: readonly string[]): Weighed[] {
  const counts = new Map<string, number>();
  for (const term of query) counts.set(term, (counts.get(term) ?? 0) + 1);
  // A word repeated four times weighs twice as much, not four times.
  return [...counts].map(([term, count]) => weigh(index, term, Math.sqrt(count)));
}

function weighPairs(index: InvertedIndex, query: readonly string[]): Weighed[] {
  return [...new Set(pairsOf(query))].map((pair) => weigh(index, pair, pairWeight));
}

/** Inverse document frequency. */
function weigh(index: InvertedIndex, term: string, factor: number): Weighed {
  const posting = index.terms.get(term);
  const found = (posting?.entries.length ?? 0) / 2;
  const rarity = Math.log(1 + (countDocuments(index) - found + 0.5) / (found + 0.5));
  return { posting, weight: rarity * factor };
}

function rarest(terms: Weighed[]): Weighed[] {
  return terms.toSorted((left, right) => right.weight - left.weight).slice(0, maxQueryTerms);
}

function saturate(frequency: number): number {
  return (frequency * (k1 + 1)) / (frequency + k1);
}

function addScores(
  bySlot: Float64Array,
  entries: number[],
  weight: number,
  norms: Float32Array,
): void {
  // The hot loop of every search: uses plain indexes and allocates no objects.
  for (let at = 0; at < entries.length; at += 2) {
    const slot = entries[at] ?? 0;
    const packed = entries[at + 1] ?? 0;
    const norm = slot * 4;
    const frequency =
      unpackFrequency(packed, 0) * (norms[norm] ?? 0) +
      unpackFrequency(packed, 1) * (norms[norm + 1] ?? 0) +
      unpackFrequency(packed, 2) * (norms[norm + 2] ?? 0) +
      unpackFrequency(packed, 3) * (norms[norm + 3] ?? 0);
    bySlot[slot] = (bySlot[slot] ?? 0) + weight * saturate(frequency);
  }
}

/** Weight of one occurrence for each slot and field: lower in a field longer than average. */
function fieldNorms(index: InvertedIndex): Float32Array<ArrayBuffer> {
  const count = countDocuments(index);
  const norms = new Float32Array(index.documents.length * 4);
  for (const [slot, document] of index.documents.entries()) {
    for (const [field, length] of document?.lengths.entries() ?? []) {
      const average = (index.totals[field] ?? 0) / count || 1;
      norms[slot * 4 + field] = (fieldWeights[field] ?? 0) / (1 - b + (b * length) / average);
    }
  }
  return norms;
}
