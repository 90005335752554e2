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

/** The words that start with the letter of a word and have a length within the bounds, those of about its length first. */
export function* wordsLike(
  vocabulary: Vocabulary,
  word: string,
  lengths: { min: number; max: number },
): Generator<string> {
  const first = word.charAt(0);
  const maxDistance = Math.max(word.length - lengths.min, lengths.max - word.length);
  for (let distance = 0; distance <= maxDistance; distance += 1) {
    for (const length of new Set([word.length - distance, word.length + distance])) {
      if (length < lengths.min || length > lengths.max) continue;
      yield* vocabulary.byShape.get(shapeOf(first, length)) ?? [];
    }
  }
}

function shapeOf(first: string, length: number): string {
  return `${first}${length}`;
}
