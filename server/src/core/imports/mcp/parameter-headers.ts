import type { JsonObject } from "@toolhost/contract";
import { isJsonObject } from "#lib/json-object";

/** An argument that revision 2026-07-28 sends in a header as well, for proxies that route by it. */
type ParameterHeader = { header: string; path: string[] };

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
const headerTypes: ReadonlySet<unknown> = new Set(["string", "integer", "boolean"]);
const maxHeaders = 50;
const maxDepth = 20;

/** The arguments that a schema marks with `x-mcp-header`. Marks that the specification does not allow are ignored. */
export function parameterHeadersOf(schema: JsonObject): ParameterHeader[] {
  const found = new Map<string, ParameterHeader>();
  const visit = (part: JsonObject, path: string[]): void => {
    const { properties } = part;
    if (!isJsonObject(properties) || path.length >= maxDepth) return;
    for (const [name, property] of Object.entries(properties)) {
      if (!isJsonObject(property)) continue;
      const header = property["x-mcp-header"];
      const below = [...path, name];
      if (typeof header === "string" && token.test(header) && headerTypes.has(property["type"])) {
        if (found.size < maxHeaders) found.set(header.toLowerCase(), { header, path: below });
      }
      visit(property, below);
    }
  };
  visit(schema, []);
  return [...found.values()];
}
