import type { JsonObject } from "@toolhost/contract";
import { isObject } from "#lib/json";
import { propertiesOf, withProperties } from "../schema/output-fields.ts";

/** Words of a schema that types cannot say, by which nothing is taken back that the types do say. */
const beyondTypes = [
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

/** The inferred schema, with what only people could have said of the same places before. */
export function mergeInput(before: JsonObject, inferred: JsonObject): JsonObject {
  const merged = mergeSchema(before, inferred);
  return typeof before["$schema"] === "string" ? { $schema: before["$schema"], ...merged } : merged;
}

/** The same of an output schema, whose properties are a list. */
export function mergeOutput(before: JsonObject, inferred: JsonObject): JsonObject {
  const known = new Map(propertiesOf(before).map((one) => [one["name"], one]));
  const properties = propertiesOf(inferred).map((one) => {
    const old = known.get(one["name"]);
    if (old === undefined) return one;
    const { description } = one;
    const words =
      description === "" || description === undefined ? old["description"] : description;
    return { ...mergeSchema(old, one), description: words ?? "" };
  });
  return withProperties(inferred, properties);
}

function mergeSchema(before: JsonObject, inferred: JsonObject): JsonObject {
  const isWhole = before["type"] === "integer" && inferred["type"] === "number";
  const merged: JsonObject = isWhole ? { ...inferred, type: "integer" } : { ...inferred };
  if (before["type"] !== merged["type"]) {
    // Of another type only the words mean the same.
    const { description } = before;
    return description === undefined ? merged : { description, ...merged };
  }
  for (const word of beyondTypes) {
    const said = before[word];
    if (said !== undefined && !Object.hasOwn(merged, word)) merged[word] = said;
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
