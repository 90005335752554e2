import { isSecretName } from "@toolhost/tool-schema/curl";
import { fromEntries, isObject, own } from "@toolhost/tool-schema/json";
import type { Json, JsonObject } from "@toolhost/tool-schema/json";

const maxDepth = 12;
const maxProperties = 200;

/** A schema that a sample matches, and values like it: members may be missing, and others may be added. */
export function inferSchema(sample: Json | undefined, depth = 0): JsonObject {
  if (sample === undefined || sample === null || depth > maxDepth) return {};
  if (Array.isArray(sample)) return { type: "array", items: itemsOf(sample, depth) };
  if (!isObject(sample)) return { type: typeof sample };
  const members = Object.entries(sample).slice(0, maxProperties);
  return {
    type: "object",
    properties: fromEntries(
      members.map(([name, value]) => [name, inferMember(name, value, depth + 1)]),
    ),
  };
}

function inferMember(name: string, value: Json, depth: number): JsonObject {
  // Samples have no secrets, but empty texts in their place.
  const isSecret = value === "" && isSecretName(name);
  return isSecret ? { type: "string", format: "password" } : inferSchema(value, depth);
}

/** One schema for all items if they have the same type: of objects, with the members of all. */
function itemsOf(items: readonly Json[], depth: number): JsonObject {
  const types = new Set(items.map((item) => (Array.isArray(item) ? "array" : typeof item)));
  if (types.size !== 1) return {};
  if (!items.every(isObject)) return inferSchema(items[0], depth + 1);
  const merged = fromEntries(items.slice(0, 100).flatMap((item) => Object.entries(item)));
  const isMixed = items.some((item) =>
    Object.keys(item).some((name) => typeof own(item, name) !== typeof own(merged, name)),
  );
  return isMixed ? { type: "object" } : inferSchema(merged, depth + 1);
}
