import { analyzeText, stem, wordsOf } from "./analyze.ts";
import type { Fields } from "./inverted-index.ts";
import { detailsText, schemaText } from "./schema-text.ts";

/** The fields of a tool that are searched. */
export type SearchableTool = {
  id: string;
  name: string;
  title: string;
  description: string;
  inputSchema: Record<string, unknown>;
  /** What else is searched with the least weight: example inputs, and names and descriptions of outputs. */
  details?: unknown;
};

const maxTextCharacters = 20_000;

/** The random suffix that every tool name has. */
const nameSuffix = /_[a-z0-9]{4}$/;

export function titleTerms(title: string): string[] {
  return analyzeText(title.slice(0, maxTextCharacters));
}

function namesOf(tool: SearchableTool): string[] {
  const title = titleTerms(tool.title);
  const known = new Set(title);
  const words = tool.name.replace(nameSuffix, "");
  // A name is derived from the first title, without its capitals, so only its additional terms count.
  const isDerived = lettersOf(tool.title).startsWith(lettersOf(words));
  const name = analyzeText(isDerived ? "" : words).filter((term) => !known.has(term));
  return [...title, ...name];
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}

/** The terms of a tool by field; of its name and title only, unless `isWhole`. */
export function fieldsOf(tool: SearchableTool, isWhole: boolean): Fields {
  const name = namesOf(tool);
  if (!isWhole) return { name, description: [], parameterNames: [], parameterDescriptions: [] };
  const { description, names, descriptions } = textsOf(tool);
  return {
    name,
    description: analyzeText(description),
    parameterNames: analyzeText(names),
    parameterDescriptions: analyzeText(descriptions),
  };
}

/** The words of a tool as its author wrote them, in lower case, by term. The first one of a term counts. */
export function writtenWords(tool: SearchableTool): Map<string, string> {
  const { description, names, descriptions } = textsOf(tool);
  const written = new Map<string, string>();
  for (const text of [tool.title, tool.name, description, names, descriptions]) {
    for (const word of wordsOf(text)) {
      const term = stem(word);
      if (!written.has(term)) written.set(term, word);
    }
  }
  return written;
}

const endOfSentence = /(?<=[.!?])\s/;
/** Starts what a tool does not do, which is no reason to find it. */
const negation = /^\s*(?:(?:it|this|this tool)\s)?(?:does not|doesn't|cannot|can't)\s/i;

function textsOf({ description, inputSchema, details }: SearchableTool) {
  const parameters = schemaText(inputSchema);
  const sentences = description.slice(0, maxTextCharacters).split(endOfSentence);
  return {
    description: sentences.filter((sentence) => !negation.test(sentence)).join(" "),
    names: parameters.names,
    descriptions: `${parameters.descriptions}\n${detailsText(details)}`,
  };
}
