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

/** Documents in numbered slots, and the postings of their terms. Slots of removed documents are reused. */
export type InvertedIndex = {
  terms: Map<string, Posting>;
  documents: (Document | undefined)[];
  freeSlots: number[];
  /** Lengths of each field, summed over all documents. */
  totals: PerField;
  /** Number of terms summed over all documents; a measure of memory use. */
  size: number;
  /** Incremented whenever a document is added or removed. */
  revision: number;
};

// Four frequencies of seven bits fit into a small integer (SMI), and more than 127 repeats add nothing.
const bits = 7;
const mask = 127;
const fieldIndexes = [0, 1, 2, 3] as const;
/** Adjacent words carry meaning in names and descriptions only. */
const pairedFields = 2;

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
    // An array created with its entries reserves no extra capacity, which would take most of the memory.
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

/** Removes a document with every term that no other document has, so that no clean-up is needed later. */
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

/** Adjacent words joined by a space, which no word contains. */
export function pairsOf(words: readonly string[]): string[] {
  return words.slice(1).map((word, index) => `${words[index] ?? ""} ${word}`);
}

/** How often a term occurs in a field, from an entry's packed frequencies. */
export function unpackFrequency(packed: number, field: number): number {
  return (packed >> (field * bits)) & mask;
}

/** Packed frequencies by term. Pairs count as terms, but not toward the length of a field. */
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

/** The index of a slot's entry, or where to insert it. */
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
