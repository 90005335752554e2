import { isObject, own } from "./json.ts";
import type { Json, JsonObject } from "./json.ts";

const deepest = 20;
/** References may double at each step, so their number is bounded and not their depth alone. */
const maxSteps = 300;

/**
 * A schema with its `$ref`s within the document followed and its `allOf` put together, as far as a form needs it.
 * A reference that leads nowhere, or round in a circle, counts as a schema that allows everything.
 */
export function resolveSchema(
  root: JsonObject,
  schema: Json | undefined,
  work: MergeWork = { left: maxMerged },
): JsonObject {
  return follow({ root, left: maxSteps, work }, schema, deepest);
}

/** Members that may still be put together: what many references have in common is copied for each. */
export type MergeWork = { left: number };

const maxMerged = 20_000;

type Budget = { root: JsonObject; left: number; work: MergeWork };

function follow(budget: Budget, schema: Json | undefined, depth: number): JsonObject {
  budget.left -= 1;
  if (!isObject(schema) || depth === 0 || budget.left < 0 || budget.work.left < 0) return {};
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
    budget.work.left -= sizeOf(merged);
    if (budget.work.left < 0) break;
  }
  return merged;
}

function sizeOf({ properties, required }: JsonObject): number {
  const names = Array.isArray(required) ? required.length : 0;
  return 1 + names + (isObject(properties) ? Object.keys(properties).length : 0);
}

/** Both of them hold; where they speak of the same, the later one is shown. */
function merge(one: JsonObject, other: JsonObject): JsonObject {
  const merged = { ...one, ...other };
  const [first, second] = [own(one, "properties"), own(other, "properties")];
  if (isObject(first) && isObject(second)) merged["properties"] = { ...first, ...second };
  const [needed, more] = [own(one, "required"), own(other, "required")];
  if (Array.isArray(needed) && Array.isArray(more)) {
    merged["required"] = [...new Set([...needed, ...more])];
  }
  return merged;
}

/** What a reference such as `#/$defs/place` or `#place` means. */
export function findReference(root: JsonObject, reference: string): Json | undefined {
  if (reference === "#") return root;
  if (reference.startsWith("#/")) return findByPointer(root, reference.slice(2));
  const definitions = own(root, "$defs");
  if (!reference.startsWith("#") || !isObject(definitions)) return undefined;
  return anchorsOf(definitions).get(reference.slice(1));
}

const knownAnchors = new WeakMap<JsonObject, ReadonlyMap<string, Json>>();

/** Definitions by their anchors; looked for once, since each reference asks. */
function anchorsOf(definitions: JsonObject): ReadonlyMap<string, Json> {
  const known = knownAnchors.get(definitions);
  if (known !== undefined) return known;
  const anchors = new Map<string, Json>();
  for (const one of Object.values(definitions)) {
    const anchor = isObject(one) ? one["$anchor"] : undefined;
    if (typeof anchor === "string" && !anchors.has(anchor)) anchors.set(anchor, one);
  }
  knownAnchors.set(definitions, anchors);
  return anchors;
}

function findByPointer(root: JsonObject, pointer: string): Json | undefined {
  let found: Json | undefined = root;
  for (const coded of pointer.split("/")) {
    const step = decode(coded);
    if (Array.isArray(found)) found = found[Number(step)];
    else if (isObject(found)) found = own(found, step);
    else return undefined;
  }
  return found;
}

function decode(coded: string): string {
  const plain = coded.replaceAll("~1", "/").replaceAll("~0", "~");
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}
