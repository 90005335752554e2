import type { JsonObject } from "@toolhost/contract";
import { isJsonObject } from "#lib/json-object";

/** Keywords of JSON Schema 2020-12 whose value is a schema, an array of schemas or an object of schemas. */
const schemaKeywords = [
  "items",
  "contains",
  "additionalProperties",
  "unevaluatedItems",
  "unevaluatedProperties",
  "propertyNames",
  "not",
  "if",
  "then",
  "else",
  "contentSchema",
];
const listKeywords = ["allOf", "anyOf", "oneOf", "prefixItems"];
const mapKeywords = ["properties", "patternProperties", "dependentSchemas", "$defs", "definitions"];

/** A schema within another. */
export type SubSchema = {
  schema: JsonObject;
  pointer: string;
  depth: number;
  /** Not the value of a schema keyword, but the target of a reference. */
  isElsewhere?: boolean;
};

/**
 * Walks a schema and its subschemas, parents first, then targets of references elsewhere in the document. Values of
 * `enum`, `const` and the like are not schemas.
 */
export function* walkSchemas(root: JsonObject): Generator<SubSchema> {
  const open: SubSchema[] = [{ schema: root, pointer: "", depth: 0 }];
  const seen = new Set<JsonObject>();
  const references: string[] = [];
  for (;;) {
    const current = open.pop() ?? followOne(root, references, seen);
    if (current === undefined) return;
    const { schema } = current;
    if (seen.has(schema)) continue;
    seen.add(schema);
    yield current;
    if (typeof schema["$ref"] === "string") references.push(schema["$ref"]);
    for (const below of subSchemas(current)) open.push(below);
  }
}

/** The target of a reference that is not under a schema keyword, such as `#/components/place`. */
function followOne(
  root: JsonObject,
  references: string[],
  seen: ReadonlySet<JsonObject>,
): SubSchema | undefined {
  for (let next = references.pop(); next !== undefined; next = references.pop()) {
    if (!next.startsWith("#/")) continue;
    const target = resolveReference(root, new Map(), next);
    if (isJsonObject(target) && !seen.has(target))
      return { schema: target, pointer: next.slice(1), depth: 1, isElsewhere: true };
  }
  return undefined;
}

function* subSchemas({ schema, pointer, depth }: SubSchema): Generator<SubSchema> {
  const below = (value: unknown, place: string): SubSchema[] =>
    isJsonObject(value) ? [{ schema: value, pointer: pointer + place, depth: depth + 1 }] : [];
  for (const keyword of schemaKeywords) yield* below(schema[keyword], `/${keyword}`);
  for (const keyword of listKeywords) {
    const list = schema[keyword];
    if (!Array.isArray(list)) continue;
    for (const [at, value] of list.entries()) yield* below(value, `/${keyword}/${at}`);
  }
  for (const keyword of mapKeywords) {
    const map = schema[keyword];
    if (!isJsonObject(map)) continue;
    for (const name of Object.keys(map))
      yield* below(map[name], `/${keyword}/${escapePointer(name)}`);
  }
}

/** Escapes a name for a JSON pointer (RFC 6901). */
export function escapePointer(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** Schemas by anchor. */
export function anchorsOf(root: JsonObject): ReadonlyMap<string, JsonObject> {
  const anchors = new Map<string, JsonObject>();
  for (const { schema } of walkSchemas(root)) {
    for (const name of [schema["$anchor"], schema["$dynamicAnchor"]]) {
      if (typeof name === "string") anchors.set(name, schema);
    }
  }
  return anchors;
}

/** Resolves a reference within the document; undefined if it has no target. */
export function resolveReference(
  root: JsonObject,
  anchors: ReadonlyMap<string, JsonObject>,
  reference: string,
): unknown {
  if (reference === "#") return root;
  if (!reference.startsWith("#")) return undefined;
  if (!reference.startsWith("#/")) return anchors.get(reference.slice(1));
  let place: unknown = root;
  for (const token of reference.slice(2).split("/")) {
    const name = decode(token).replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof place !== "object" || place === null || !Object.hasOwn(place, name))
      return undefined;
    place = (place as Record<string, unknown>)[name];
  }
  return place;
}

function decode(token: string): string {
  try {
    return decodeURIComponent(token);
  } catch {
    return token;
  }
}
