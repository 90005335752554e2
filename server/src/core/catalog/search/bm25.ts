import type { InvertedIndex, PerField, Posting } from "./inverted-index.ts";
import { countDocuments, unpackFrequency } from "./inverted-index.ts";
import { getLexicon } from "./lexicon/lexicon.ts";

// Tuned on public sets of queries and tools: a word in the name weighs most.
const fieldWeights: PerField = [2, 1, 0.5, 0.5];
const k1 = 1.2;
const b = 0.75;

/** A catalog with this many tools says as much about how rare a word is as tools at large do. */
const backgroundTools = 200;
const backgroundSize = 10_000;
/** Assumed for a word that no tool at large is known to use. */
const unknownFrequency = 0.5;

/** Average lengths of tools at large, which count like one tool, so that a catalog without shared tools has some. */
const backgroundLengths: PerField = [3, 8, 3, 12];

/** Shorter postings are computed for each query, since an array for each would take more memory than time. */
const minCached = 32;
/** Average lengths are rounded to steps of about 2 %, so that a saved tool leaves cached scores valid. */
const lengthSteps = 32;

/**
 * Scores of terms by BM25F. Frequencies are weighted by field and summed before they saturate, so a word in three fields is
 * not three matches.
 */
export type Bm25 = {
  /**
   * Inverse document frequency of a term of any index. A small catalog has no statistics of its own, so those of tools at
   * large count as well.
   */
  idf(posting: Posting): number;
  /** The same for a term by name, with the number of tools that have it if `found` is given. */
  idfOf(term: string, found?: number): number;
  /** The score of each entry of an index before weights, in order of the entries. The result is valid until the next call. */
  impactsOf(index: InvertedIndex, posting: Posting): Float32Array;
};

/**
 * Scores terms of several indexes by the statistics of one of them, so that the documents of the others change no score.
 */
export function createBm25(statistics: InvertedIndex): Bm25 {
  let revision = -1;
  let lengths = "";
  let state = 0;
  let slopes: PerField = [0, 0, 0, 0];
  const scratch = new Float32Array(minCached);

  /** Updates what depends on the length of all documents. */
  function refresh(): void {
    if (revision === statistics.revision) return;
    revision = statistics.revision;
    const count = countDocuments(statistics) + 1;
    const rounded = statistics.totals.map((total, field) =>
      Math.round(Math.log2((total + (backgroundLengths[field] ?? 0)) / count) * lengthSteps),
    );
    if (rounded.join(" ") === lengths) return;
    lengths = rounded.join(" ");
    slopes = rounded.map((step) => b / 2 ** (step / lengthSteps)) as PerField;
    state += 1;
  }

  function idfOf(
    term: string,
    found = (statistics.terms.get(term)?.entries.length ?? 0) / 2,
  ): number {
    const count = countDocuments(statistics);
    const frequency = getLexicon().frequencyOf(term) ?? unknownFrequency;
    const share = count / (count + backgroundTools);
    return share * rarity(count, found) + (1 - share) * rarity(backgroundSize, frequency);
  }

  return {
    idf(posting) {
      if (posting.idfOf !== statistics.revision) {
        posting.idf = idfOf(posting.term);
        posting.idfOf = statistics.revision;
      }
      return posting.idf;
    },
    idfOf,
    impactsOf(index, posting) {
      refresh();
      const count = posting.entries.length / 2;
      if (count <= minCached) return computeImpacts(index, posting, slopes, scratch);
      if (posting.impacts === undefined || posting.impactsOf !== state) {
        posting.impacts = computeImpacts(index, posting, slopes, new Float32Array(count));
        posting.impactsOf = state;
      }
      return posting.impacts;
    },
  };
}

/** Bounds how much repeats of a term add. */
export function saturate(frequency: number): number {
  return (frequency * (k1 + 1)) / (frequency + k1);
}

function rarity(count: number, found: number): number {
  return Math.log(1 + (count - found + 0.5) / (found + 0.5));
}

function computeImpacts(
  index: InvertedIndex,
  { entries }: Posting,
  slopes: PerField,
  impacts: Float32Array,
): Float32Array {
  const { lengths } = index;
  const [nameSlope, textSlope, namesSlope, aboutSlope] = slopes;
  const [nameWeight, textWeight, namesWeight, aboutWeight] = fieldWeights;
  // The hot loop of every search: uses plain indexes, unrolls the fields and allocates no objects.
  for (let at = 0; at < entries.length; at += 2) {
    const first = (entries[at] ?? 0) * 4;
    const packed = entries[at + 1] ?? 0;
    const inName = unpackFrequency(packed, 0);
    const inText = unpackFrequency(packed, 1);
    const inNames = unpackFrequency(packed, 2);
    const inAbout = unpackFrequency(packed, 3);
    let frequency = 0;
    if (inName > 0)
      frequency += (nameWeight * inName) / (1 - b + nameSlope * (lengths[first] ?? 0));
    if (inText > 0)
      frequency += (textWeight * inText) / (1 - b + textSlope * (lengths[first + 1] ?? 0));
    if (inNames > 0)
      frequency += (namesWeight * inNames) / (1 - b + namesSlope * (lengths[first + 2] ?? 0));
    if (inAbout > 0)
      frequency += (aboutWeight * inAbout) / (1 - b + aboutSlope * (lengths[first + 3] ?? 0));
    impacts[at >> 1] = saturate(frequency);
  }
  return impacts;
}
