import type { MatchReason } from "@toolhost/contract";
import { wordsToMatch } from "./analyze.ts";
import type { Bm25 } from "./bm25.ts";
import { findEntry, unpackFrequency } from "./inverted-index.ts";
import { getLexicon } from "./lexicon/lexicon.ts";
import { parseQuery } from "./query.ts";
import { resolveTerms } from "./resolve-terms.ts";
import type { ResolvedTerm, WeighedTerm } from "./resolve-terms.ts";
import { writtenWords } from "./tool-fields.ts";
import type { SearchableTool } from "./tool-fields.ts";
import type { ToolLayer } from "./tool-layer.ts";
import { wordSimilarity } from "./word-similarity.ts";

export type { MatchReason } from "@toolhost/contract";

/** In the order of the index. */
const fields = ["title", "description", "parameters", "details"] as const;
const maxReasons = 12;
const maxWordCharacters = 60;

/**
 * Explains what a query matches in a tool, from what the scorer matches it with. Costs about as much as reading the tool's
 * texts again, so it is only for tools that are shown.
 */
export function createExplainer(
  layers: readonly ToolLayer[],
  bm25: Bm25,
  query: string,
): (tool: SearchableTool) => MatchReason[] {
  const lexicon = getLexicon();
  const resolved = resolveTerms({ layers, bm25, lexicon }, parseQuery(query, lexicon));
  const asked = query.trim();
  return (tool) => {
    const at = layers.findIndex(({ entries }) => entries.has(tool.id));
    const entry = layers[at]?.entries.get(tool.id);
    if (entry === undefined) return [];
    const written = writtenWords(tool);
    const isNamed = asked === tool.name;
    const matched = resolved
      .flatMap((term) => bestMatch(term, { layers, bm25, at, slot: entry.slot }))
      .toSorted((one, other) => other.score - one.score)
      .slice(0, maxReasons)
      .map((match) => toReason(match, written));
    if (isNamed) return [named(asked), ...matched];
    return matched.length > 0 ? matched : similarWords(query, entry.words, written);
  };
}

type Match = { term: ResolvedTerm; found: WeighedTerm; packed: number; score: number };

/** Where a tool is: its layer and its slot there. */
type Place = { layers: readonly ToolLayer[]; bm25: Bm25; at: number; slot: number };

/** What a tool scores by for a term: the best of its alternatives. */
function bestMatch(term: ResolvedTerm, { layers, bm25, at, slot }: Place): Match[] {
  const index = layers[at]?.index;
  let best: Match | undefined;
  for (const found of term.matches) {
    const posting = found.postings[at];
    if (index === undefined || posting === undefined) continue;
    const { entries } = posting;
    const position = findEntry(entries, slot);
    if (entries[position] !== slot) continue;
    const score = found.weight * (bm25.impactsOf(index, posting)[position >> 1] ?? 0);
    if (score <= (best?.score ?? 0)) continue;
    best = { term, found, packed: entries[position + 1] ?? 0, score };
  }
  return best === undefined ? [] : [best];
}

function toReason({ term, found, packed }: Match, written: Map<string, string>): MatchReason {
  const terms = found.term.split(" ");
  return {
    word: cutWord(term.of.word),
    matched: cutWord(terms.map((one) => written.get(one) ?? one).join(" ")),
    through: throughOf(term, found),
    fields: fields.filter((_, field) => unpackFrequency(packed, field) > 0),
  };
}

function throughOf({ of }: ResolvedTerm, { relation, term }: WeighedTerm): MatchReason["through"] {
  if (relation === "same") return "word";
  if (relation !== "related") return relation;
  if (of.kind !== "word") return of.kind;
  const synonyms = getLexicon().alternativesTo(of.term ?? "");
  return synonyms.some(([other]) => other === term) ? "synonym" : "translation";
}

function named(name: string): MatchReason {
  return { word: name, matched: name, through: "name", fields: ["title"] };
}

/** The words of the title that `searchNear` compares with those of the query. */
function similarWords(
  query: string,
  words: readonly string[],
  written: Map<string, string>,
): MatchReason[] {
  return wordsToMatch(query)
    .slice(0, maxReasons)
    .flatMap((forms): MatchReason[] => {
      const likeness = (word: string) =>
        Math.max(...forms.map((form) => wordSimilarity(form, word)));
      const [best] = words.toSorted((one, other) => likeness(other) - likeness(one));
      if (best === undefined || likeness(best) === 0) return [];
      const matched = cutWord(written.get(best) ?? best);
      return [{ word: cutWord(forms[0] ?? ""), matched, through: "similar", fields: ["title"] }];
    });
}

/** Shortens a text to what a reason shows of it. */
export function cutWord(text: string): string {
  return text.slice(0, maxWordCharacters);
}
