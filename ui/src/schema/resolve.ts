import { isObject, own } from "../json.ts";
import type { Json, JsonObject } from "../json.ts";

const deepest = 20;
/** References may double at each step, so their number is bounded and not their depth alone. */
const mostSteps = 300;

/**
 * A schema with its `$ref`s within the document followed and its `allOf` put together, as far as a form needs it.
 * A reference that leads nowhere, or round in a circle, counts as a schema that allows everything.
 */
export function resolveSchema(root: JsonObject, schema: Json | undefined): JsonObject {
  return follow({ root, left: mostSteps }, schema, deepest);
}

type Budget = { root: JsonObject; left: number };

function follow(budget: Budget, schema: Json | undefined, depth: number): JsonObject {
  budget.left -= 1;
  if (!isObject(schema) || depth === 0 || budget.left < 0) return {};
  const { $ref: reference, allOf, ...rest } = schema;
  const parts: JsonObject[] = [];
  if (typeof reference === "string") {
    parts.push(follow(budget, findReference(budget.root, reference), depth - 1));
  }
  if (Array.isArray(allOf)) {
    for (const part of allOf.slice(0, mostSteps)) parts.push(follow(budget, part, depth - 1));
  }
  return parts.length === 0 ? rest : [...parts, rest].reduce(merge);
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
  return Object.values(definitions).find(
    (one) => isObject(one) && one["$anchor"] === reference.slice(1),
  );
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
