import type { JsonObject } from "./tool.ts";

type Json = JsonObject[string];

const deepest = 6;
/** References may double at each step, so their number is bounded and not their depth alone. */
const mostSteps = 500;
const mostItems = 5;

/** Stands where the id of a file belongs that has been uploaded before. */
export const sampleFileId = "FILE_ID";

/**
 * An input to begin from: what the schema asks for, with its own examples and defaults where it has some, else values that fit
 * its types, formats and bounds. A `pattern` without an example, and what only `if` and `not` say, is left to whoever reads it.
 */
export function sampleInput(schema: JsonObject, fileFields: readonly string[] = []): JsonObject {
  return withSampleFiles(sampleObject({ root: schema, left: mostSteps }, schema, 0), fileFields);
}

/** The same input with {@link sampleFileId} where a file is named: a file of an example was its author's. */
export function withSampleFiles(input: JsonObject, fileFields: readonly string[]): JsonObject {
  const fields = fileFields.filter((name) => Object.hasOwn(input, name));
  const files = fields.map((name) => [
    name,
    Array.isArray(input[name]) ? [sampleFileId] : sampleFileId,
  ]);
  return { ...input, ...(Object.fromEntries(files) as JsonObject) };
}

type Budget = { root: JsonObject; left: number };

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function listAt(schema: JsonObject, name: string): Json[] {
  const value = Object.hasOwn(schema, name) ? schema[name] : undefined;
  return Array.isArray(value) ? value : [];
}

function sampleObject(budget: Budget, given: JsonObject, depth: number): JsonObject {
  const schema = resolve(budget, given, depth);
  const { properties } = schema;
  const known = isObject(properties) ? properties : {};
  const names = listAt(schema, "required").filter((name) => typeof name === "string");
  const sample: JsonObject = {};
  for (const name of names) {
    const value = sampleOf(budget, Object.hasOwn(known, name) ? known[name] : {}, depth + 1);
    Object.defineProperty(sample, name, {
      value,
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
  return sample;
}

function sampleOf(budget: Budget, given: Json | undefined, depth: number): Json {
  budget.left -= 1;
  const schema = resolve(budget, given, depth);
  if (schema["const"] !== undefined) return schema["const"];
  const [first] = [...listAt(schema, "examples"), ...listAt(schema, "enum")];
  if (first !== undefined) return first;
  if (schema["default"] !== undefined) return schema["default"];
  if (depth > deepest || budget.left < 0) return {};
  switch (typeOf(schema)) {
    case "object":
      return sampleObject(budget, schema, depth);
    case "array":
      return sampleList(budget, schema, depth);
    case "integer":
    case "number":
      return sampleNumber(schema);
    case "boolean":
      return true;
    case "null":
      return null;
    default:
      return sampleText(schema);
  }
}

function typeOf(schema: JsonObject): Json | undefined {
  const { type } = schema;
  if (Array.isArray(type)) return type.find((one) => one !== "null") ?? type[0];
  if (type !== undefined) return type;
  if (isObject(schema["properties"]) || Array.isArray(schema["required"])) return "object";
  return schema["items"] === undefined && schema["prefixItems"] === undefined ? undefined : "array";
}

function sampleList(budget: Budget, schema: JsonObject, depth: number): Json[] {
  const prefix = listAt(schema, "prefixItems");
  const { minItems } = schema;
  const least = typeof minItems === "number" ? Math.min(minItems, mostItems) : 0;
  const length = Math.max(least, prefix.length);
  return Array.from({ length }, (_, index) =>
    sampleOf(budget, prefix[index] ?? schema["items"], depth + 1),
  );
}

function numberAt(schema: JsonObject, name: string): number | undefined {
  const value = schema[name];
  return typeof value === "number" ? value : undefined;
}

function sampleNumber(schema: JsonObject): number {
  const step = numberAt(schema, "multipleOf") ?? 1;
  const above = numberAt(schema, "exclusiveMinimum");
  const below = numberAt(schema, "exclusiveMaximum");
  const least = numberAt(schema, "minimum") ?? (above === undefined ? undefined : above + step);
  const most = numberAt(schema, "maximum") ?? (below === undefined ? undefined : below - step);
  const wanted = least ?? Math.min(step, most ?? step);
  return step > 0 ? Math.ceil(wanted / step) * step : wanted;
}

const samplesOfFormats: Readonly<Record<string, string>> = {
  date: "2026-01-31",
  time: "12:00:00Z",
  "date-time": "2026-01-31T12:00:00Z",
  duration: "PT1H",
  email: "ada@example.com",
  "idn-email": "ada@example.com",
  hostname: "example.com",
  uri: "https://example.com",
  url: "https://example.com",
  iri: "https://example.com",
  "uri-reference": "/example",
  uuid: "123e4567-e89b-42d3-a456-426614174000",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  regex: "^a",
  "json-pointer": "/a",
};

function sampleText(schema: JsonObject): string {
  const { format } = schema;
  const known = typeof format === "string" && Object.hasOwn(samplesOfFormats, format);
  if (known) return samplesOfFormats[format] ?? "text";
  const least = Math.min(numberAt(schema, "minLength") ?? 0, 1_000);
  const text = "text".padEnd(least, " text");
  return text.slice(0, Math.max(least, numberAt(schema, "maxLength") ?? text.length));
}

/** With references followed, parts put together, and of alternatives the first that is something. */
function resolve(budget: Budget, given: Json | undefined, depth: number): JsonObject {
  budget.left -= 1;
  if (!isObject(given) || budget.left < 0 || depth > 3 * deepest) return {};
  const { $ref: reference, allOf, oneOf, anyOf, ...rest } = given;
  const parts: JsonObject[] = [];
  const add = (part: Json | undefined) => parts.push(resolve(budget, part, depth + 1));
  if (typeof reference === "string") add(find(budget.root, reference));
  for (const part of Array.isArray(allOf) ? allOf : []) add(part);
  for (const alternatives of [oneOf, anyOf]) {
    if (!Array.isArray(alternatives) || alternatives.length === 0) continue;
    add(alternatives.find((one) => !isObject(one) || one["type"] !== "null") ?? alternatives[0]);
  }
  return [...parts, rest].reduce(merge, {});
}

function merge(one: JsonObject, other: JsonObject): JsonObject {
  const merged = { ...one, ...other };
  const [first, second] = [one["properties"], other["properties"]];
  if (isObject(first) && isObject(second)) merged["properties"] = { ...first, ...second };
  const needed = [...listAt(one, "required"), ...listAt(other, "required")];
  if (needed.length > 0) merged["required"] = [...new Set(needed)];
  return merged;
}

function find(root: JsonObject, reference: string): Json | undefined {
  if (!reference.startsWith("#")) return undefined;
  let found: Json | undefined = root;
  for (const coded of reference.slice(1).split("/").slice(1)) {
    const step = coded.replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(found)) found = found[Number(step)];
    else found = isObject(found) && Object.hasOwn(found, step) ? found[step] : undefined;
  }
  return found;
}
