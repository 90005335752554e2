import { addWord, createVocabulary, deleteWord } from "./vocabulary.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** The terms of a document by field, in order and with repeats. */
export type Fields = {
  name: string[];
  description: string[];
  parameterNames: string[];
  parameterDescriptions: string[];
};

/** One number for each field, in the order of {@link Fields}. */
export type PerField = [number, number, number, number];

/** Where a term occurs, and what the scorer caches about it. */
export type Posting = {
  term: string;
  /** Identifies the term in pairs. */
  number: number;
  /** Pairs of a slot and its packed frequencies, sorted by slot. */
  entries: number[];
  /** The score of each entry before weights, for long postings; undefined after a change. */
  impacts: Float32Array | undefined;
  /** The state of the index that `impacts` were computed for. */
  impactsOf: number;
  idf: number;
  /** The revision of the index that `idf` was computed for. */
  idfOf: number;
  /** How much the last query that matched this term means it, from 0 to 1. */
  meant: number;
  meantBy: number;
};

/** Postings are ordered: name only, name and description, description only, others. */
type Document = {
  lengths: PerField;
  postings: Posting[];
  nameEnd: number;
  descriptionStart: number;
  descriptionEnd: number;
  /** Hashes of adjacent terms: those of the name, then those of the description. */
  pairs: Uint32Array;
  namePairs: number;
};

/** Documents in numbered slots, and the postings of their terms. Slots of removed documents are reused. */
export type InvertedIndex = {
  terms: Map<string, Posting>;
  documents: (Document | undefined)[];
  freeSlots: number[];
  /** The lengths of all documents by slot and field, where the scorer reads them. */
  lengths: Uint16Array;
  /** Lengths of each field, summed over all documents. */
  totals: PerField;
  /** The words of all documents, for finding similar ones. */
  vocabulary: Vocabulary;
  nextNumber: number;
  /** A measure of memory use, of about 30 bytes: the terms and pairs of each document, and more for each distinct term. */
  size: number;
  /** Incremented whenever a document is added or removed. */
  revision: number;
};

// Four frequencies of seven bits fit into a small integer (SMI).
const bits = 7;
const mask = 127;
const fieldIndexes = [0, 1, 2, 3] as const;
const maxLength = 65_535;
/** Repeats that count. Further ones only make a text longer, so that stuffing it with a word gains nothing. */
const maxRepeats: PerField = [1, 2, 3, 3];
/** What a document adds to the average length, so that a stuffed one does not make those of others look short. */
const maxAveraged = 500;
/** What a term takes apart from its entries, relative to one entry. */
const termSize = 8;

export function createInvertedIndex(): InvertedIndex {
  return {
    terms: new Map(),
    documents: [],
    freeSlots: [],
    lengths: new Uint16Array(256),
    totals: [0, 0, 0, 0],
    vocabulary: createVocabulary(),
    nextNumber: 1,
    size: 0,
    revision: 0,
  };
}

export function countDocuments(index: InvertedIndex): number {
  return index.documents.length - index.freeSlots.length;
}

/** Adds a document and returns its slot. */
export function addDocument(index: InvertedIndex, fields: Fields): number {
  const texts = [
    fields.name,
    fields.description,
    fields.parameterNames,
    fields.parameterDescriptions,
  ];
  const slot = index.freeSlots.pop() ?? index.documents.length;
  const groups: [Posting[], Posting[], Posting[], Posting[]] = [[], [], [], []];
  for (const [term, packed] of countTerms(texts)) {
    const posting = addEntry(index, term, slot, packed);
    groups[groupOf(packed)].push(posting);
  }
  const postings = groups.flat();
  const namePairs = hashPairs(index, fields.name);
  const pairs = Uint32Array.from([...namePairs, ...hashPairs(index, fields.description)]);
  index.documents[slot] = {
    lengths: setLengths(index, slot, texts),
    postings,
    nameEnd: groups[0].length + groups[1].length,
    descriptionStart: groups[0].length,
    descriptionEnd: groups[0].length + groups[1].length + groups[2].length,
    pairs,
    namePairs: namePairs.length,
  };
  index.size += postings.length + pairs.length;
  index.revision += 1;
  return slot;
}

/** Removes a document with every term that no other document has, so that no clean-up is needed later. */
export function removeDocument(index: InvertedIndex, slot: number): void {
  const document = index.documents[slot];
  if (document === undefined) return;
  for (const posting of document.postings) {
    posting.entries.splice(findEntry(posting.entries, slot), 2);
    posting.impacts = undefined;
    if (posting.entries.length > 0) continue;
    index.size -= termSize;
    index.terms.delete(posting.term);
    deleteWord(index.vocabulary, posting.term);
  }
  for (const field of fieldIndexes)
    index.totals[field] -= Math.min(maxAveraged, document.lengths[field]);
  index.size -= document.postings.length + document.pairs.length;
  index.documents[slot] = undefined;
  index.freeSlots.push(slot);
  index.revision += 1;
}

/** A hash of two adjacent terms, by their numbers. */
export function hashPair(left: number, right: number): number {
  return (Math.imul(left, 0x9e_37_79_b1) + Math.imul(right, 0x85_eb_ca_6b)) >>> 0;
}

/** How often a term occurs in a field, from an entry's packed frequencies. */
export function unpackFrequency(packed: number, field: number): number {
  return (packed >> (field * bits)) & mask;
}

function addEntry(index: InvertedIndex, term: string, slot: number, packed: number): Posting {
  const known = index.terms.get(term);
  if (known !== undefined) {
    known.entries.splice(findEntry(known.entries, slot), 0, slot, packed);
    known.impacts = undefined;
    return known;
  }
  const posting: Posting = {
    term,
    number: index.nextNumber,
    // An array created with its entries reserves no extra capacity, which would take most of the memory.
    entries: [slot, packed],
    impacts: undefined,
    impactsOf: -1,
    idf: 0,
    idfOf: -1,
    meant: 0,
    meantBy: -1,
  };
  index.nextNumber += 1;
  index.size += termSize;
  index.terms.set(term, posting);
  addWord(index.vocabulary, term);
  return posting;
}

function groupOf(packed: number): 0 | 1 | 2 | 3 {
  const isDescribed = unpackFrequency(packed, 1) > 0;
  if (unpackFrequency(packed, 0) > 0) return isDescribed ? 1 : 0;
  return isDescribed ? 2 : 3;
}

function setLengths(index: InvertedIndex, slot: number, texts: readonly string[][]): PerField {
  if (index.lengths.length < slot * 4 + 4) {
    const grown = new Uint16Array(index.lengths.length * 2);
    grown.set(index.lengths);
    index.lengths = grown;
  }
  const lengths: PerField = [0, 0, 0, 0];
  for (const field of fieldIndexes) {
    lengths[field] = Math.min(maxLength, texts[field]?.length ?? 0);
    index.totals[field] += Math.min(maxAveraged, lengths[field]);
    index.lengths[slot * 4 + field] = lengths[field];
  }
  return lengths;
}

/** Packed frequencies by term. */
function countTerms(texts: readonly string[][]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [field, text] of texts.entries()) {
    for (const term of text) {
      const packed = counts.get(term) ?? 0;
      if (unpackFrequency(packed, field) < (maxRepeats[field] ?? 0))
        counts.set(term, packed + (1 << (field * bits)));
    }
  }
  return counts;
}

function hashPairs(index: InvertedIndex, terms: readonly string[]): number[] {
  const numbers = terms.map((term) => index.terms.get(term)?.number ?? 0);
  return numbers.slice(1).map((number, position) => hashPair(numbers[position] ?? 0, number));
}

/** The index of a slot's entry, or where to insert it. */
export function findEntry(entries: readonly number[], slot: number): number {
  let low = 0;
  let high = entries.length / 2;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((entries[middle * 2] ?? 0) < slot) low = middle + 1;
    else high = middle;
  }
  return low * 2;
}
