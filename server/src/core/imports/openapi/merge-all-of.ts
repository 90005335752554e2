import { isObject, own } from "@toolhost/tool-schema/json";
import type { Json, JsonObject } from "@toolhost/tool-schema/json";
import type { OpenDocument } from "./open-document.ts";

const maxDepth = 8;
const maxParts = 50;

/** Keywords that can be merged, besides those that only describe. */
const mergeable = new Set(["type", "properties", "required", "additionalProperties", "allOf"]);
const descriptive = new Set([
  "title",
  "description",
  "example",
  "examples",
  "deprecated",
  "discriminator",
  "externalDocs",
  "nullable",
  "xml",
  "default",
  "readOnly",
  "writeOnly",
  "$ref",
]);

/**
 * One object schema that stands for the schema with its `allOf`, references followed. Undefined if the schema is more than
 * an object with properties. `additionalProperties: false` is dropped: in one part, it would refuse the others' properties.
 */
export function mergeAllOf(
  document: Pick<OpenDocument, "follow">,
  schema: Json | undefined,
  depth = 0,
): JsonObject | undefined {
  const target = document.follow(schema);
  if (!isObject(target) || depth > maxDepth) return undefined;
  const parts = own(target, "allOf");
  const type = [own(target, "type")].flat(2).filter((name) => name !== "null");
  if (type.length > 0 && type[0] !== undefined && !type.includes("object")) return undefined;
  if (Object.keys(target).some((name) => !isMergeable(name, target))) return undefined;
  if (!Array.isArray(parts)) return target;
  if (parts.length > maxParts) return undefined;
  let merged: JsonObject = {};
  for (const part of parts) {
    const next = mergeAllOf(document, part, depth + 1);
    if (next === undefined) return undefined;
    merged = combine(merged, next);
  }
  const { allOf: _, ...rest } = target;
  return combine(merged, rest);
}

function isMergeable(name: string, schema: JsonObject): boolean {
  if (mergeable.has(name) || descriptive.has(name) || name.startsWith("x-")) return true;
  // Alternatives that only say which properties are required together are left to the API.
  const parts = own(schema, name);
  const isAlternative = name === "anyOf" || name === "oneOf";
  if (!isAlternative || !Object.hasOwn(schema, "properties") || !Array.isArray(parts)) return false;
  return parts.every((part) => isObject(part) && Object.keys(part).every(isRequirement));
}

function isRequirement(name: string): boolean {
  return name === "required" || name === "type" || descriptive.has(name);
}

function combine(first: JsonObject, second: JsonObject): JsonObject {
  const { additionalProperties: _, anyOf: __, oneOf: ___, ...rest } = { ...first, ...second };
  const properties = { ...propertiesOf(first), ...propertiesOf(second) };
  const required = [...new Set([...requiredOf(first), ...requiredOf(second)])];
  const open = [first, second].map((schema) => own(schema, "additionalProperties"));
  const additional = open.find((value) => isObject(value) || value === true);
  return {
    ...rest,
    type: "object",
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
    ...(required.length === 0 ? {} : { required }),
    ...(additional === undefined ? {} : { additionalProperties: additional }),
  };
}

/** The properties of an object schema, without those in `allOf`. */
export function propertiesOf(schema: JsonObject): JsonObject {
  const properties = own(schema, "properties");
  return isObject(properties) ? properties : {};
}

/** The names in `required`. */
export function requiredOf(schema: JsonObject): string[] {
  const names = own(schema, "required");
  return Array.isArray(names) ? names.filter((name) => typeof name === "string") : [];
}
