import { fromEntries, isObject, numberAt, own } from "./json.ts";
import type { Json, JsonObject } from "./json.ts";
import { resolveSchema } from "./resolve-schema.ts";
import type { MergeBudget } from "./resolve-schema.ts";

const maxDepth = 6;
/** References can double at each level, so their total is limited as well as their depth. */
const maxSteps = 500;
const maxItems = 5;
const maxTextLength = 1_000;
/** How many members may be merged for one sample. */
const maxMerged = 100_000;

/** Placeholder for the ID of an uploaded file. */
export const sampleFileId = "FILE_ID";

type SampledTool = {
  inputSchema: JsonObject;
  fileFields: readonly string[];
  examples: readonly { input: JsonObject }[];
};

/**
 * A sample input to start from: the tool's first example, or the required members of its schema. Members take their values
 * from the schema's examples and defaults, or match its types, formats and bounds. A `pattern` without an example, `if` and
 * `not` are ignored. File fields contain {@link sampleFileId}, because a file ID in an example belongs to its author.
 */
export function sampleInput({ inputSchema, fileFields, examples }: SampledTool): JsonObject {
  const input =
    examples[0]?.input ??
    sampleObject({ root: inputSchema, left: maxSteps, merge: { left: maxMerged } }, inputSchema, 0);
  const files = fileFields
    .filter((name) => Object.hasOwn(input, name))
    .map((name) => [name, Array.isArray(input[name]) ? [sampleFileId] : sampleFileId] as const);
  return { ...input, ...fromEntries(files) };
}

/** Whether a sample input has a file placeholder, so that a file must be uploaded first. */
export function needsFile(input: JsonObject): boolean {
  return JSON.stringify(input).includes(JSON.stringify(sampleFileId));
}

type Budget = { root: JsonObject; left: number; merge: MergeBudget };

function listAt(schema: JsonObject, name: string): Json[] {
  const value = own(schema, name);
  return Array.isArray(value) ? value : [];
}

function sampleObject(budget: Budget, schema: JsonObject, depth: number): JsonObject {
  const { required, properties } = resolve(budget, schema);
  const declared = isObject(properties) ? properties : {};
  const names = (Array.isArray(required) ? required : [])
    .filter((name) => typeof name === "string")
    .slice(0, maxSteps);
  return fromEntries(
    names.map((name) => [name, sampleOf(budget, own(declared, name) ?? {}, depth + 1)] as const),
  );
}

function sampleOf(budget: Budget, unresolved: Json | undefined, depth: number): Json {
  budget.left -= 1;
  if (budget.left < 0) return {};
  const schema = resolve(budget, unresolved);
  if (schema["const"] !== undefined) return schema["const"];
  const [first] = [...listAt(schema, "examples"), ...listAt(schema, "enum")];
  if (first !== undefined) return first;
  if (schema["default"] !== undefined) return schema["default"];
  if (depth > maxDepth) return {};
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
  if (Array.isArray(type)) return type.find((name) => name !== "null") ?? type[0];
  if (type !== undefined) return type;
  if (isObject(schema["properties"]) || Array.isArray(schema["required"])) return "object";
  return schema["items"] === undefined && schema["prefixItems"] === undefined ? undefined : "array";
}

function sampleList(budget: Budget, schema: JsonObject, depth: number): Json[] {
  const prefix = listAt(schema, "prefixItems");
  const { minItems } = schema;
  const min = typeof minItems === "number" ? Math.min(minItems, maxItems) : 0;
  const length = Math.max(min, prefix.length);
  return Array.from({ length }, (_, index) =>
    sampleOf(budget, prefix[index] ?? schema["items"], depth + 1),
  );
}

function sampleNumber(schema: JsonObject): number {
  const step = numberAt(schema, "multipleOf") ?? 1;
  const above = numberAt(schema, "exclusiveMinimum");
  const below = numberAt(schema, "exclusiveMaximum");
  const min = numberAt(schema, "minimum") ?? (above === undefined ? undefined : above + step);
  const max = numberAt(schema, "maximum") ?? (below === undefined ? undefined : below - step);
  const value = min ?? Math.min(step, max ?? step);
  return step > 0 ? Math.ceil(value / step) * step : value;
}

const samplesByFormat: Readonly<Record<string, string>> = {
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
  const isKnown = typeof format === "string" && Object.hasOwn(samplesByFormat, format);
  if (isKnown) return samplesByFormat[format] ?? "text";
  const min = Math.min(numberAt(schema, "minLength") ?? 0, maxTextLength);
  const text = "text".padEnd(min, " text");
  return text.slice(0, Math.max(min, numberAt(schema, "maxLength") ?? text.length));
}

/** Resolves references and merges, and takes the first alternative that is not null. */
function resolve({ root, merge }: Budget, unresolved: Json | undefined): JsonObject {
  let schema = resolveSchema(root, unresolved, merge);
  for (let step = 0; step < maxDepth; step += 1) {
    const { oneOf, anyOf, ...rest } = schema;
    const chosen = [oneOf, anyOf].flatMap((alternatives) =>
      Array.isArray(alternatives) && alternatives.length > 0 ? [firstOf(alternatives)] : [],
    );
    if (chosen.length === 0) return schema;
    schema = resolveSchema(root, { ...rest, allOf: chosen }, merge);
  }
  return schema;
}

function firstOf(alternatives: readonly Json[]): Json {
  const nonNull = alternatives.find(
    (alternative) => !isObject(alternative) || alternative["type"] !== "null",
  );
  return nonNull ?? alternatives[0] ?? {};
}
