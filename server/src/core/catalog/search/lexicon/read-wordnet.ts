import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A meaning of a word, with the meanings that it points to. */
export type Synset = { words: string[]; pointers: Pointer[] };

type Pointer = {
  /** WordNet's symbol: + for a derived form, @ for a broader meaning, ~ for a narrower one, & and $ for similar ones. */
  kind: string;
  target: string;
  /** The words that a derived form relates, counted from 1. */
  from: number;
  to: number;
};

/** A word's meaning, and how often it was counted in WordNet's texts. */
export type Sense = { partOfSpeech: string; synset: string; count: number };

export type WordNet = { synsets: Map<string, Synset>; senses: Map<string, Sense[]> };

const partsOfSpeech = { noun: "n", verb: "v", adj: "a", adv: "r" } as const;

/** Reads the database files of WordNet: see wndb(5WN) for their format. */
export function readWordNet(folder: string): WordNet {
  const synsets = new Map<string, Synset>();
  const senses = new Map<string, Sense[]>();
  const counts = readCounts(folder);
  for (const [file, part] of Object.entries(partsOfSpeech)) {
    for (const line of readLines(folder, `data.${file}`)) {
      const [offset = ""] = line.split(" ", 1);
      synsets.set(part + offset, readSynset(line));
    }
    for (const line of readLines(folder, `index.${file}`)) {
      const [lemma = "", , senseCount, pointerCount, ...rest] = line.trim().split(" ");
      const offsets = rest.slice(Number(pointerCount) + 2).slice(0, Number(senseCount));
      const found = offsets.map((offset) => ({
        partOfSpeech: part,
        synset: part + offset,
        count: counts.get(`${lemma}${part}${offset}`) ?? 0,
      }));
      senses.set(lemma, [...(senses.get(lemma) ?? []), ...found]);
    }
  }
  return { synsets, senses };
}

/** The lines of a file without its license, which is indented. */
function readLines(folder: string, name: string): string[] {
  const lines = readFileSync(join(folder, name), "latin1").split("\n");
  return lines.filter((line) => line !== "" && !line.startsWith(" "));
}

function readSynset(line: string): Synset {
  const fields = (line.split(" | ")[0] ?? "").split(" ");
  const wordCount = Number.parseInt(fields[3] ?? "0", 16);
  const words = Array.from({ length: wordCount }, (_, at) =>
    // Adjectives may have a syntactic marker: "asleep(p)".
    (fields[4 + 2 * at] ?? "").replace(/\(.*\)$/, ""),
  );
  const start = 5 + 2 * wordCount;
  const pointers = Array.from({ length: Number(fields[start - 1]) }, (_, at): Pointer => {
    const [kind = "", offset = "", part = "", words16 = "0000"] = fields.slice(start + 4 * at);
    return {
      kind,
      target: (part === "s" ? "a" : part) + offset,
      from: Number.parseInt(words16.slice(0, 2), 16),
      to: Number.parseInt(words16.slice(2), 16),
    };
  });
  return { words, pointers };
}

function readCounts(folder: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of readLines(folder, "index.sense")) {
    const [, lemma = "", part, offset = "", count] =
      /^([^%]+)%(\d)\S* (\d{8}) \d+ (\d+)/.exec(line) ?? [];
    // Adjectives of a cluster have a number of their own.
    const letter = { 1: "n", 2: "v", 3: "a", 4: "r", 5: "a" }[part ?? ""] ?? "";
    counts.set(`${lemma}${letter}${offset}`, Number(count));
  }
  return counts;
}
