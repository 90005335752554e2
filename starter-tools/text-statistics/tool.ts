type Input = { text: string; language?: string; topWords?: number };

type Output = {
  characters: number;
  words: number;
  uniqueWords: number;
  sentences: number;
  paragraphs: number;
  lines: number;
  readingTimeSeconds: number;
  topWords: { word: string; count: number }[];
};

const wordsReadPerMinute = 238;

/** Counts what a reader sees: an emoji is one character, and languages without spaces still have words. */
export default async function textStatistics(input: Input): Promise<Output> {
  const { text, language = "en", topWords = 10 } = input;
  const characters = segments(text, language, "grapheme");
  const sentences = segments(text, language, "sentence").filter(
    (part) => part.segment.trim() !== "",
  );
  const words = segments(text, language, "word")
    .filter((part) => part.isWordLike)
    .map((part) => part.segment.toLocaleLowerCase(language));
  const counts = countWords(words);

  return {
    characters: characters.length,
    words: words.length,
    uniqueWords: counts.size,
    sentences: sentences.length,
    paragraphs: text.split(/\n\s*\n/).filter((part) => part.trim() !== "").length,
    lines: text === "" ? 0 : text.split(/\r\n|\r|\n/).length,
    readingTimeSeconds: Math.ceil((words.length / wordsReadPerMinute) * 60),
    topWords: [...counts]
      .map(([word, count]) => ({ word, count }))
      // Sorting is stable, so words that are equally frequent stay in the order of the text.
      .toSorted((a, b) => b.count - a.count)
      .slice(0, topWords),
  };
}

function segments(text: string, language: string, granularity: "grapheme" | "word" | "sentence") {
  try {
    return [...new Intl.Segmenter(language, { granularity }).segment(text)];
  } catch (error) {
    throw new Error(
      `"${language}" is not a language code. Use one such as "en", "pt-BR" or "ja".`,
      {
        cause: error,
      },
    );
  }
}

function countWords(words: string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
