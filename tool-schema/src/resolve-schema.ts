import { isObject, own } from "./json.ts";
import type { Json, JsonObject } from "./json.ts";

const maxDepth = 20;
/** References can double at each level, so their total is limited as well as their depth. */
const maxSteps = 300;

/**
 * Returns a schema with its local `$ref`s followed and its `allOf` merged, as far as a form needs it.
 * A reference that is dangling, external or circular resolves to a schema that allows everything.
 */
export function resolveSchema(
  root: JsonObject,
  schema: Json | undefined,
  budget: MergeBudget = { left: maxMerged },
): JsonObject {
  return follow({ root, left: maxSteps, merge: budget }, schema, maxDepth);
}

/** How many members may still be merged. A definition is copied for each reference to it, so the total is limited. */
export type MergeBudget = { left: number };

const maxMerged = 20_000;

type Budget = { root: JsonObject; left: number; merge: MergeBudget };

function follow(budget: Budget, schema: Json | undefined, depth: number): JsonObject {
  budget.left -= 1;
  if (!isObject(schema) || depth === 0 || budget.left < 0 || budget.merge.left < 0) return {};
  const { $ref: reference, allOf, ...rest } = schema;
  const parts: JsonObject[] = [];
  if (typeof reference === "string") {
    parts.push(follow(budget, findReference(budget.root, reference), depth - 1));
  }
  if (Array.isArray(allOf)) {
    for (const part of allOf.slice(0, maxSteps)) parts.push(follow(budget, part, depth - 1));
  }
  if (parts.length === 0) return rest;
  let merged: JsonObject = {};
  for (const part of [...parts, rest]) {
    merged = merge(merged, part);
    budget.merge.left -= sizeOf(merged);
    if (budget.merge.left < 0) break;
  }
  return merged;
}

function sizeOf({ properties, required }: JsonObject): number {
  const requiredCount = Array.isArray(required) ? required.length : 0;
  return 1 + requiredCount + (isObject(properties) ? Object.keys(properties).length : 0);
}

/** Merges two schemas that both apply. Where they set the same keyword, the second one wins. */
function merge(first: JsonObject, second: JsonObject): JsonObject {
  const merged = { ...first, ...second };
  const properties = { first: own(first, "properties"), second: own(second, "properties") };
  if (isObject(properties.first) && isObject(properties.second)) {
    merged["properties"] = { ...properties.first, ...properties.second };
  }
  const required = { first: own(first, "required"), second: own(second, "required") };
  if (Array.isArray(required.first) && Array.isArray(required.second)) {
    merged["required"] = [...new Set([...required.first, ...required.second])];
  }
  return merged;
}

/** Finds the schema that a reference such as `#/$defs/address` or `#address` points to. */
export function findReference(root: JsonObject, reference: string): Json | undefined {
  if (reference === "#") return root;
  if (reference.startsWith("#/")) return findByPointer(root, reference.slice(2));
  const definitions = own(root, "$defs");
  if (!reference.startsWith("#") || !isObject(definitions)) return undefined;
  return anchorsOf(definitions).get(reference.slice(1));
}

const anchorsByDefinitions = new WeakMap<JsonObject, ReadonlyMap<string, Json>>();

/** Definitions by anchor, cached because every reference looks them up. */
function anchorsOf(definitions: JsonObject): ReadonlyMap<string, Json> {
  const cached = anchorsByDefinitions.get(definitions);
  if (cached !== undefined) return cached;
  const anchors = new Map<string, Json>();
  for (const definition of Object.values(definitions)) {
    const anchor = isObject(definition) ? definition["$anchor"] : undefined;
    if (typeof anchor === "string" && !anchors.has(anchor)) anchors.set(anchor, definition);
  }
  anchorsByDefinitions.set(definitions, anchors);
  return anchors;
}

function findByPointer(root: JsonObject, pointer: string): Json | undefined {
  let found: Json | undefined = root;
  for (const encoded of pointer.split("/")) {
    const step = decode(encoded);
    if (Array.isArray(found)) found = found[Number(step)];
    else if (isObject(found)) found = own(found, step);
    else return undefined;
  }
  return found;
}

function decode(encoded: string): string {
  const plain = encoded.replaceAll("~1", "/").replaceAll("~0", "~");
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}
