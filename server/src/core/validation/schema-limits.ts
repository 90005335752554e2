import type { ErrorDetail, JsonObject } from "@toolhost/contract";
import { isJsonObject } from "#lib/json-object";
import { anchorsOf, escapePointer, resolveReference, walkSchemas } from "./schema-walk.ts";
import type { SubSchema } from "./schema-walk.ts";

/** Limits of an input schema, far above handwritten and generated schemas. */
const schemaLimits = {
  bytes: 512 * 1024,
  schemas: 4_000,
  depth: 50,
  properties: 2_000,
  required: 2_000,
  alternatives: 300,
  patternProperties: 50,
  types: 7,
  enumValues: 10_000,
  enumObjects: 200,
  patterns: 300,
  patternLength: 1_000,
  references: 2_000,
  /** Schemas that apply to one value, with references followed. */
  expansion: 10_000,
} as const;

const maxProblems = 5;

type Problem = { pointer: string; message: string };

/**
 * Reports where a schema exceeds {@link schemaLimits}, with the limit and advice. Takes linear time, so it precedes every
 * other check.
 */
export function checkSchemaLimits(schema: JsonObject): ErrorDetail[] {
  const problems: Problem[] = [];
  const totals = { schemas: 0, patterns: 0, references: 0 };
  const bytes = JSON.stringify(schema).length;
  if (bytes > schemaLimits.bytes) {
    return [
      toError({
        pointer: "",
        message: `has ${bytes} characters; the limit is ${schemaLimits.bytes}. Shorten descriptions, examples and enums`,
      }),
    ];
  }
  for (const part of walkSchemas(schema)) {
    totals.schemas += 1;
    const { $ref: reference, $dynamicRef: dynamic } = part.schema;
    if (reference !== undefined || dynamic !== undefined) totals.references += 1;
    problems.push(...checkPart(part), ...checkPatterns(part, totals), ...checkTotals(part, totals));
    if (problems.length >= maxProblems) break;
  }
  if (problems.length === 0) problems.push(...checkExpansion(schema));
  return problems.slice(0, maxProblems).map(toError);
}

function toError({ pointer, message }: Problem): ErrorDetail {
  return { path: `/inputSchema${pointer}`, message };
}

function sizeOf(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  return isJsonObject(value) ? Object.keys(value).length : 0;
}

const advice: readonly (readonly [string, number, string])[] = [
  ["type", schemaLimits.types, "types"],
  [
    "properties",
    schemaLimits.properties,
    "properties. Use additionalProperties, or nested objects",
  ],
  ["required", schemaLimits.required, "names"],
  ["patternProperties", schemaLimits.patternProperties, "patterns"],
  ["dependentRequired", schemaLimits.properties, "properties"],
  ["dependentSchemas", schemaLimits.alternatives, "schemas"],
  ["allOf", schemaLimits.alternatives, "schemas"],
  ["anyOf", schemaLimits.alternatives, "schemas. Use enum for plain values"],
  ["oneOf", schemaLimits.alternatives, "schemas. Use enum for plain values"],
  ["prefixItems", schemaLimits.properties, "schemas"],
  ["enum", schemaLimits.enumValues, "values. Use a pattern, or let the tool check the value"],
];

function checkPart({ schema, pointer }: SubSchema): Problem[] {
  const problems = advice.flatMap(([keyword, limit, what]) => {
    const size = sizeOf(schema[keyword]);
    return size > limit
      ? [
          {
            pointer: `${pointer}/${keyword}`,
            message: `has ${size} entries; the limit is ${limit} ${what}`,
          },
        ]
      : [];
  });
  if (problems.length > 0) return problems;
  const values: unknown[] = Array.isArray(schema["enum"]) ? schema["enum"] : [];
  const objects = values.filter((value) => typeof value === "object" && value !== null).length;
  if (objects > schemaLimits.enumObjects) {
    problems.push({
      pointer: `${pointer}/enum`,
      message: `has ${objects} objects and arrays; the limit is ${schemaLimits.enumObjects}. Use plain values`,
    });
  }
  const dependent = schema["dependentRequired"];
  for (const [name, names] of isJsonObject(dependent) ? Object.entries(dependent) : []) {
    if (sizeOf(names) <= schemaLimits.required) continue;
    problems.push({
      pointer: `${pointer}/dependentRequired/${escapePointer(name)}`,
      message: `has ${sizeOf(names)} names; the limit is ${schemaLimits.required}`,
    });
  }
  return problems;
}

type Totals = { schemas: number; patterns: number; references: number };

function checkPatterns({ schema, pointer }: SubSchema, totals: Totals): Problem[] {
  const own =
    typeof schema["pattern"] === "string" ? [[schema["pattern"], "/pattern"] as const] : [];
  const map = schema["patternProperties"];
  const names = isJsonObject(map) ? Object.keys(map) : [];
  const patterns = [...own, ...names.map((name) => [name, "/patternProperties"] as const)];
  totals.patterns += patterns.length;
  return patterns.flatMap(([pattern, place]) =>
    pattern.length > schemaLimits.patternLength
      ? [
          {
            pointer: pointer + place,
            message: `has ${pattern.length} characters; the limit is ${schemaLimits.patternLength}. Shorten the pattern, or let the tool check the value`,
          },
        ]
      : [],
  );
}

function checkTotals({ pointer, depth }: SubSchema, totals: Totals): Problem[] {
  if (depth > schemaLimits.depth) {
    return [
      {
        pointer,
        message: `is nested ${depth} deep; the limit is ${schemaLimits.depth}. Use $defs and $ref`,
      },
    ];
  }
  const named = { schemas: "schemas", patterns: "patterns", references: "references" } as const;
  // Reported once, where the limit is exceeded.
  const passed = (Object.keys(named) as (keyof Totals)[]).find(
    (total) => totals[total] > schemaLimits[total],
  );
  if (passed === undefined) return [];
  const message = `has more than ${schemaLimits[passed]} ${named[passed]}, which is the limit. Reuse schemas with $defs, or accept any object and let the tool check it`;
  totals[passed] = -Infinity;
  return [{ pointer, message }];
}

const inPlaceLists = ["allOf", "anyOf", "oneOf"];
const inPlace = ["if", "then", "else", "not"];

/** Schemas that apply to the same value, without those in other documents. */
function appliedWith(
  root: JsonObject,
  anchors: ReadonlyMap<string, JsonObject>,
  schema: JsonObject,
): JsonObject[] {
  const found: unknown[] = inPlace.map((keyword) => schema[keyword]);
  for (const keyword of inPlaceLists) {
    const list = schema[keyword];
    if (Array.isArray(list)) found.push(...(list as unknown[]));
  }
  if (isJsonObject(schema["dependentSchemas"]))
    found.push(...Object.values(schema["dependentSchemas"]));
  for (const reference of [schema["$ref"], schema["$dynamicRef"]]) {
    if (typeof reference === "string") found.push(resolveReference(root, anchors, reference));
  }
  return found.filter((value) => isJsonObject(value));
}

/**
 * References and combinations multiply: a chain of forty schemas that each refer to the next one twice means a trillion
 * checks of one value. A cycle of references that never descends into the value is infinite.
 */
function checkExpansion(root: JsonObject): Problem[] {
  const anchors = anchorsOf(root);
  const counts = new Map<JsonObject, number>();
  const underWay = new Set<JsonObject>();
  const countOf = (schema: JsonObject): number => {
    const known = counts.get(schema);
    if (known !== undefined) return known;
    if (underWay.has(schema)) return Infinity;
    underWay.add(schema);
    let count = 1;
    for (const applied of appliedWith(root, anchors, schema)) count += countOf(applied);
    underWay.delete(schema);
    counts.set(schema, count);
    return count;
  };
  for (const { schema, pointer } of walkSchemas(root)) {
    const count = expansionOf(() => countOf(schema));
    if (count === Infinity) {
      return [
        {
          pointer,
          message:
            "refers to itself without descending into a property or an item, so checking it never ends",
        },
      ];
    }
    if (count > schemaLimits.expansion) {
      return [
        {
          pointer,
          message: `applies ${count} schemas to one value, with references followed; the limit is ${schemaLimits.expansion}`,
        },
      ];
    }
  }
  return [];
}

/** A chain of references that is too long to follow counts as infinite. */
function expansionOf(count: () => number): number {
  try {
    return count();
  } catch (error) {
    if (error instanceof RangeError) return Infinity;
    throw error;
  }
}
