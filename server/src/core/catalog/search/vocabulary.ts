/** A set of words by first letter and length, to compare a word with those that may be similar only. */
export type Vocabulary = {
  byShape: Map<string, Set<string>>;
  /** Incremented whenever a word is added or deleted. */
  revision: number;
};

export function createVocabulary(): Vocabulary {
  return { byShape: new Map(), revision: 0 };
}

export function addWord(vocabulary: Vocabulary, word: string): void {
  const shape = shapeOf(word.charAt(0), word.length);
  const words = vocabulary.byShape.get(shape);
  if (words === undefined) vocabulary.byShape.set(shape, new Set([word]));
  else words.add(word);
  vocabulary.revision += 1;
}

export function deleteWord(vocabulary: Vocabulary, word: string): void {
  const shape = shapeOf(word.charAt(0), word.length);
  const words = vocabulary.byShape.get(shape);
  if (words?.delete(word) !== true) return;
  if (words.size === 0) vocabulary.byShape.delete(shape);
  vocabulary.revision += 1;
}

/** The words that start with a letter and have a length within the bounds. */
export function* wordsLike(
  vocabulary: Vocabulary,
  first: string,
  lengths: { min: number; max: number },
): Generator<string> {
  for (let length = lengths.min; length <= lengths.max; length += 1) {
    yield* vocabulary.byShape.get(shapeOf(first, length)) ?? [];
  }
}

function shapeOf(first: string, length: number): string {
  return `${first}${length}`;
}
