import { readFileSync } from "node:fs";
import { analyzeText } from "../analyze.ts";
import { schemaText } from "../schema-text.ts";

/** Terms of fewer tools are mostly names. */
const minTools = 2;

/** How many of 10,000 tools use each term. Each catalog counts the same, however many tools it has. */
export function countTerms(catalogs: readonly string[]): Map<string, number> {
  const shares = new Map<string, number>();
  const found = new Map<string, number>();
  for (const path of catalogs) {
    const tools = readFileSync(path, "utf8").split("\n").filter(Boolean);
    for (const line of tools) {
      for (const term of termsOf(line)) {
        shares.set(term, (shares.get(term) ?? 0) + 1 / tools.length / catalogs.length);
        found.set(term, (found.get(term) ?? 0) + 1);
      }
    }
  }
  return new Map(
    [...shares]
      .filter(([term]) => (found.get(term) ?? 0) >= minTools)
      .map(([term, share]) => [term, Math.max(1, Math.round(share * 10_000))]),
  );
}

type CatalogTool = { name: string; description?: string; inputSchema?: unknown };

function termsOf(line: string): Set<string> {
  const { name, description = "", inputSchema } = JSON.parse(line) as CatalogTool;
  const { names, descriptions } = schemaText(inputSchema);
  return new Set(analyzeText([name, description, names, descriptions].join("\n")));
}
