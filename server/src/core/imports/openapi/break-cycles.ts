import { isObject } from "@toolhost/tool-schema/json";
import type { Json, JsonObject } from "@toolhost/tool-schema/json";
import { inputLimits } from "./limits.ts";

const prefix = "#/$defs/";

/**
 * Removes references by which a schema refers to itself without descending into a value: checking such a schema never ends.
 * Returns how many schemas apply to one value at most, with references followed.
 */
export function breakCycles(root: JsonObject): number {
  const { $defs } = root;
  const definitions = isObject($defs) ? $defs : {};
  const counts = new Map<Json, number>();
  const underWay = new Set<Json>();
  let largest = 0;

  const countOf = (schema: Json): number => {
    if (!isObject(schema)) return 1;
    const known = counts.get(schema);
    if (known !== undefined) return known;
    underWay.add(schema);
    let count = 1;
    const target = targetOf(definitions, schema);
    if (target !== undefined && underWay.has(target)) delete schema["$ref"];
    else if (target !== undefined) count += countOf(target);
    for (const name of ["anyOf", "allOf"]) {
      const parts = schema[name];
      if (Array.isArray(parts)) for (const part of parts) count += countOf(part);
    }
    underWay.delete(schema);
    // Beyond the limit, the exact number does not matter.
    const bounded = Math.min(count, inputLimits.expansion * 2);
    counts.set(schema, bounded);
    largest = Math.max(largest, bounded);
    return bounded;
  };

  for (const schema of allSchemas(root)) countOf(schema);
  return largest;
}

function targetOf(definitions: JsonObject, schema: JsonObject): Json | undefined {
  const { $ref: reference } = schema;
  if (typeof reference !== "string" || !reference.startsWith(prefix)) return undefined;
  return definitions[reference.slice(prefix.length)];
}

/** Levels of schemas within each other, as the product counts them. */
export function depthOf(root: JsonObject): number {
  let depth = 0;
  for (let level: JsonObject[] = [root]; level.length > 0; depth += 1) {
    level = level.flatMap((schema) => subSchemas(schema));
  }
  return depth;
}

function allSchemas(root: JsonObject): JsonObject[] {
  const found = [root];
  for (let at = 0; at < found.length; at += 1) found.push(...subSchemas(found[at] ?? {}));
  return found;
}

function subSchemas(schema: JsonObject): JsonObject[] {
  const maps = [schema["properties"], schema["$defs"]].filter(isObject).map(Object.values);
  const lists = [schema["anyOf"], schema["allOf"], schema["prefixItems"]].filter(Array.isArray);
  const single = [schema["items"], schema["additionalProperties"]];
  return [...maps, ...lists, single].flat().filter(isObject);
}
