import { isObject, own, textAt } from "./json.ts";
import type { Json, JsonObject } from "./json.ts";
import { findReference } from "./resolve-schema.ts";

const maxDepth = 25;

/**
 * The number of members of the union that the type of a schema is. An intersection of unions multiplies them, and TypeScript
 * rejects one with 100,000. Cached in `counts`; infinite for a schema that is nested too deeply to count.
 */
export function countChoices(
  root: JsonObject,
  schema: Json | undefined,
  counts: Map<Json, number>,
  depth = 0,
): number {
  if (!isObject(schema)) return 1;
  const known = counts.get(schema);
  if (known !== undefined) return known;
  if (depth > maxDepth) return Infinity;
  // What a schema that contains itself adds to its own count.
  counts.set(schema, 1);
  const count = (part: Json | undefined) => countChoices(root, part, counts, depth + 1);
  const sum = (keyword: string) => {
    const parts = partsOf(schema, keyword);
    return parts.length === 0 ? 1 : parts.reduce<number>((total, part) => total + count(part), 0);
  };
  const reference = textAt(schema, "$ref");
  const factors = [
    reference === undefined ? 1 : count(findReference(root, reference)),
    ...partsOf(schema, "allOf").map(count),
    sum("anyOf"),
    sum("oneOf"),
    Math.max(1, partsOf(schema, "enum").length, partsOf(schema, "type").length),
  ];
  const product = factors.reduce((total, factor) => total * factor, 1);
  counts.set(schema, product);
  return product;
}

function partsOf(schema: JsonObject, keyword: string): readonly Json[] {
  const parts = own(schema, keyword);
  return Array.isArray(parts) ? parts : [];
}
