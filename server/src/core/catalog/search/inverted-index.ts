/** The terms of a document by field, in order and with repeats. */
export type Fields = {
  name: string[];
  description: string[];
  parameterNames: string[];
  parameterDescriptions: string[];
};

/** One number for each field, in the order of {@link Fields}. */
export type PerField = [number, number, number, number];

/** Where a term occurs: pairs of a slot and its packed frequencies, sorted by slot. */
export type Posting = { term: string; entries: number[] };

type Document = { lengths: PerField; postings: Posting[] };

/** Documents in numbered slots, and the places of their terms. A slot that is removed serves again. */
export type InvertedIndex = {
  terms: Map<string, Posting>;
  documents: (Document | undefined)[];
  freeSlots: number[];
  /** Lengths of each field, summed over all documents. */
  totals: PerField;
  /** Terms of each document, summed over all: what the index takes of memory. */
  size: number;
  /** Changes with every document that comes or goes. */
  revision: number;
};

// Four frequencies of seven bits fit in one small integer, and more than 127 repeats tell nothing.
const bits = 7;
const mask = 127;
const fieldIndexes = [0, 1, 2, 3] as const;
/** Only names and descriptions are prose enough for neighbors to mean something. */
const pairedFields = 2;

/** Makes an index without documents. */
export function createInvertedIndex(): InvertedIndex {
  return {
    terms: new Map(),
    documents: [],
    freeSlots: [],
    totals: [0, 0, 0, 0],
    size: 0,
    revision: 0,
  };
}

/** How many documents the index holds. */
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
  const postings: Posting[] = [];
  for (const [term, packed] of countTerms(texts)) {
    const known = index.terms.get(term);
    // An array that is made with its entries has no room for others, which would take more than all the rest.
    const posting = known ?? { term, entries: [slot, packed] };
    if (known === undefined) index.terms.set(term, posting);
    else known.entries.splice(findEntry(known.entries, slot), 0, slot, packed);
    postings.push(posting);
  }
  const lengths: PerField = [0, 0, 0, 0];
  for (const field of fieldIndexes) {
    lengths[field] = texts[field]?.length ?? 0;
    index.totals[field] += lengths[field];
  }
  index.documents[slot] = { lengths, postings };
  index.size += postings.length;
  index.revision += 1;
  return slot;
}

/** Takes a document out at once, with every term that no other has, so that nothing is left to clean up. */
export function removeDocument(index: InvertedIndex, slot: number): void {
  const document = index.documents[slot];
  if (document === undefined) return;
  for (const posting of document.postings) {
    posting.entries.splice(findEntry(posting.entries, slot), 2);
    if (posting.entries.length === 0) index.terms.delete(posting.term);
  }
  for (const field of fieldIndexes) index.totals[field] -= document.lengths[field];
  index.size -= document.postings.length;
  index.documents[slot] = undefined;
  index.freeSlots.push(slot);
  index.revision += 1;
}

/** Neighbors joined by a space, which no word holds. */
export function pairsOf(words: readonly string[]): string[] {
  return words.slice(1).map((word, index) => `${words[index] ?? ""} ${word}`);
}

/** How often a term occurs in a field, from an entry's packed frequencies. */
export function unpackFrequency(packed: number, field: number): number {
  return (packed >> (field * bits)) & mask;
}

/** Packed frequencies by term. Pairs count as terms, but do not make a field longer. */
function countTerms(texts: string[][]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [field, text] of texts.entries()) {
    for (const term of field < pairedFields ? [...text, ...pairsOf(text)] : text) {
      const packed = counts.get(term) ?? 0;
      if (unpackFrequency(packed, field) < mask) counts.set(term, packed + (1 << (field * bits)));
    }
  }
  return counts;
}

/** The place of a slot's entry, or where it belongs. */
function findEntry(entries: readonly number[], slot: number): number {
  let low = 0;
  let high = entries.length / 2;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((entries[middle * 2] ?? 0) < slot) low = middle + 1;
    else high = middle;
  }
  return low * 2;
}
