import { readFileSync } from "node:fs";
import type { SearchableTool } from "../../src/core/catalog/search/ranker.ts";
import { makeToolName } from "../../src/core/catalog/tools/tool-name.ts";

/** A tool of a catalog file. */
type CatalogTool = {
  name: string;
  title?: string;
  description?: string;
  inputSchema?: Record<string, unknown>;
};

/** A query with the names of the tools that answer it. */
export type LabeledQuery = { query: string; relevant: string[]; group?: string };

/** Reads a file with one JSON value per line. */
export function readJsonLines<T>(path: string): T[] {
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.flatMap((line, index) => {
    if (line.trim() === "") return [];
    try {
      return [JSON.parse(line) as T];
    } catch {
      throw new Error(`${path}:${index + 1}: not JSON`);
    }
  });
}

/** A tool as the service would store it: with a suffix added to its name, and titled by its name if it has no title. */
function toSearchable(tool: CatalogTool): SearchableTool {
  return {
    id: tool.name,
    name: makeToolName(tool.name),
    title: tool.title ?? tool.name,
    description: tool.description ?? "",
    inputSchema: tool.inputSchema ?? {},
  };
}

/** Reads a catalog. Names must be unique, since queries refer to tools by name. */
export function readCatalog(path: string): SearchableTool[] {
  const tools = readJsonLines<CatalogTool>(path);
  if (new Set(tools.map(({ name }) => name)).size !== tools.length)
    throw new Error(`${path}: names are not unique`);
  return tools.map(toSearchable);
}
