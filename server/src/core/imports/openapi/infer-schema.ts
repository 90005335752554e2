import { fromEntries, isObject, own } from "@toolhost/tool-schema/json";
import type { Json, JsonObject } from "@toolhost/tool-schema/json";
import { isSecretName } from "@toolhost/tool-schema/secrets";

const maxDepth = 12;
const maxProperties = 200;

/** A schema that the sample of a field matches, and values like it: members may be missing, and others may be added. */
export function inferField(name: string, sample: Json | undefined): JsonObject {
  return inferMember(name, sample, { depth: 0, isSecret: false });
}

/** How deep a sample is, and whether it belongs to a member whose name is that of a secret. */
type Place = { depth: number; isSecret: boolean };

function inferSchema(sample: Json | undefined, place: Place): JsonObject {
  const { depth, isSecret } = place;
  if (sample === undefined || sample === null || depth > maxDepth) return {};
  if (Array.isArray(sample)) return { type: "array", items: itemsOf(sample, place) };
  // Samples have no secrets, but empty texts and 0 in their place.
  if (isSecret && sample === "") return { type: "string", format: "password" };
  if (isSecret && sample === 0) return { type: "number", writeOnly: true };
  if (typeof sample === "string" && isDate(sample)) return { type: "string", format: "date" };
  if (!isObject(sample)) return { type: typeof sample };
  const members = Object.entries(sample).slice(0, maxProperties);
  return {
    type: "object",
    properties: fromEntries(
      members.map(([name, value]) => [name, inferMember(name, value, below(place))]),
    ),
  };
}

/** Whether a text is a day of the calendar as in ISO 8601, such as 2026-12-24. */
function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

function inferMember(name: string, value: Json | undefined, place: Place): JsonObject {
  const isSecret = place.isSecret || isSecretName(name, value);
  return inferSchema(value, { ...place, isSecret });
}

function below({ depth, isSecret }: Place): Place {
  return { depth: depth + 1, isSecret };
}

/** One schema for all items if they have the same type: of objects, with the members of all. */
function itemsOf(items: readonly Json[], place: Place): JsonObject {
  const types = new Set(items.map((item) => (Array.isArray(item) ? "array" : typeof item)));
  if (types.size !== 1) return {};
  if (!items.every(isObject)) return inferSchema(items[0], below(place));
  const merged = fromEntries(items.slice(0, 100).flatMap((item) => Object.entries(item)));
  const isMixed = items.some((item) =>
    Object.keys(item).some((name) => typeof own(item, name) !== typeof own(merged, name)),
  );
  return isMixed ? { type: "object" } : inferSchema(merged, below(place));
}
