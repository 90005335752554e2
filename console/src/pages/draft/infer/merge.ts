import type { JsonObject } from "@toolhost/contract";
import { isObject } from "#lib/json";
import { textsAt } from "../definition/read-definition.ts";
import { propertiesOf, withProperties } from "../schema/output-fields.ts";

/** Keywords that types cannot express and that cannot contradict them. */
const preservedKeywords = [
  "title",
  "description",
  "default",
  "examples",
  "format",
  "pattern",
  "minLength",
  "maxLength",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minItems",
  "maxItems",
  "uniqueItems",
];

/** Returns the inferred schema, with the keywords that the author had set on the same paths. */
export function mergeInput(before: JsonObject, inferred: JsonObject): JsonObject {
  const merged = mergeSchema(before, inferred);
  return typeof before["$schema"] === "string" ? { $schema: before["$schema"], ...merged } : merged;
}

/** Returns the schema with the members that the code reads and the schema does not have. */
export function addUses(before: JsonObject, uses: JsonObject): JsonObject {
  const known = isObject(before["properties"]) ? before["properties"] : {};
  const read = isObject(uses["properties"]) ? uses["properties"] : {};
  const added = Object.entries(read).filter(([name]) => !Object.hasOwn(known, name));
  if (added.length === 0) return before;
  const isRequired = (name: string) => textsAt(uses, "required").includes(name);
  const required = [
    ...textsAt(before, "required"),
    ...added.map(([name]) => name).filter(isRequired),
  ];
  return {
    ...before,
    type: "object",
    properties: { ...known, ...Object.fromEntries(added) },
    ...(required.length === 0 ? {} : { required }),
  };
}

/** Merges output schemas, whose properties are an array. */
export function mergeOutput(before: JsonObject, inferred: JsonObject): JsonObject {
  const known = new Map(propertiesOf(before).map((one) => [one["name"], one]));
  const properties = propertiesOf(inferred).map((one) => {
    const old = known.get(one["name"]);
    if (old === undefined) return one;
    const { description } = one;
    const text = description === "" || description === undefined ? old["description"] : description;
    return { ...mergeSchema(old, one), description: text ?? "" };
  });
  return withProperties(inferred, properties);
}

function mergeSchema(before: JsonObject, inferred: JsonObject): JsonObject {
  const isWhole = before["type"] === "integer" && inferred["type"] === "number";
  const merged: JsonObject = isWhole ? { ...inferred, type: "integer" } : { ...inferred };
  if (before["type"] !== merged["type"]) {
    // Only the description still applies when the type has changed.
    const { description } = before;
    return description === undefined ? merged : { description, ...merged };
  }
  for (const keyword of preservedKeywords) {
    const value = before[keyword];
    if (value !== undefined && !Object.hasOwn(merged, keyword)) merged[keyword] = value;
  }
  const members = merged["properties"];
  const known = before["properties"];
  if (isObject(members) && isObject(known)) {
    merged["properties"] = Object.fromEntries(
      Object.entries(members).map(([name, member]) => {
        const old = Object.hasOwn(known, name) ? known[name] : undefined;
        return [name, isObject(member) && isObject(old) ? mergeSchema(old, member) : member];
      }),
    );
  }
  const { items } = merged;
  if (isObject(items) && isObject(before["items"]))
    merged["items"] = mergeSchema(before["items"], items);
  return merged;
}
