import { fromEntries, isObject, numberAt, own } from "./json.ts";
import type { Json, JsonObject } from "./json.ts";
import { resolveSchema } from "./resolve.ts";
import type { MergeWork } from "./resolve.ts";

const deepest = 6;
/** References may double at each step, so their number is bounded and not their depth alone. */
const maxSteps = 500;
const maxItems = 5;
/** Members put together for all of a sample. */
const maxMerged = 100_000;

/** Stands where the id of a file belongs that has been uploaded before. */
export const sampleFileId = "FILE_ID";

type SampledTool = {
  inputSchema: JsonObject;
  fileFields: readonly string[];
  examples: readonly { input: JsonObject }[];
};

/**
 * An input to begin from: the tool's first example, else what its schema asks for, with the schema's own examples and defaults
 * where it has some, and values that fit its types, formats and bounds. A `pattern` without an example, and what only `if` and
 * `not` say, is left to whoever reads it. {@link sampleFileId} stands where a file is named: a file of an example was its author's.
 */
export function sampleInput({ inputSchema, fileFields, examples }: SampledTool): JsonObject {
  const input =
    examples[0]?.input ??
    sampleObject({ root: inputSchema, left: maxSteps, work: { left: maxMerged } }, inputSchema, 0);
  const files = fileFields
    .filter((name) => Object.hasOwn(input, name))
    .map((name) => [name, Array.isArray(input[name]) ? [sampleFileId] : sampleFileId] as const);
  return { ...input, ...fromEntries(files) };
}

/** Whether a file has to be sent before an input that {@link sampleInput} gave can be. */
export function needsFile(input: JsonObject): boolean {
  return JSON.stringify(input).includes(JSON.stringify(sampleFileId));
}

type Budget = { root: JsonObject; left: number; work: MergeWork };

function listAt(schema: JsonObject, name: string): Json[] {
  const value = own(schema, name);
  return Array.isArray(value) ? value : [];
}

function sampleObject(budget: Budget, schema: JsonObject, depth: number): JsonObject {
  const { required, properties } = resolve(budget, schema);
  const known = isObject(properties) ? properties : {};
  const names = (Array.isArray(required) ? required : [])
    .filter((name) => typeof name === "string")
    .slice(0, maxSteps);
  return fromEntries(
    names.map((name) => [name, sampleOf(budget, own(known, name) ?? {}, depth + 1)] as const),
  );
}

function sampleOf(budget: Budget, given: Json | undefined, depth: number): Json {
  budget.left -= 1;
  if (budget.left < 0) return {};
  const schema = resolve(budget, given);
  if (schema["const"] !== undefined) return schema["const"];
  const [first] = [...listAt(schema, "examples"), ...listAt(schema, "enum")];
  if (first !== undefined) return first;
  if (schema["default"] !== undefined) return schema["default"];
  if (depth > deepest) return {};
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
  const least = typeof minItems === "number" ? Math.min(minItems, maxItems) : 0;
  const length = Math.max(least, prefix.length);
  return Array.from({ length }, (_, index) =>
    sampleOf(budget, prefix[index] ?? schema["items"], depth + 1),
  );
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

/** As it counts: with references followed, parts put together, and of alternatives the first that is something. */
function resolve({ root, work }: Budget, given: Json | undefined): JsonObject {
  let schema = resolveSchema(root, given, work);
  for (let step = 0; step < deepest; step += 1) {
    const { oneOf, anyOf, ...rest } = schema;
    const chosen = [oneOf, anyOf].flatMap((alternatives) =>
      Array.isArray(alternatives) && alternatives.length > 0 ? [firstOf(alternatives)] : [],
    );
    if (chosen.length === 0) return schema;
    schema = resolveSchema(root, { ...rest, allOf: chosen }, work);
  }
  return schema;
}

function firstOf(alternatives: readonly Json[]): Json {
  const something = alternatives.find((one) => !isObject(one) || one["type"] !== "null");
  return something ?? alternatives[0] ?? {};
}
