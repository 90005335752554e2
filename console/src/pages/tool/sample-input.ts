import type { JsonObject } from "@toolhost/contract";
import { isObject } from "#lib/json";
import type { Json } from "#lib/json";

const deepest = 4;

/** An input to begin from: what the schema asks for, with its own examples and defaults where it has some. */
export function sampleInput(schema: JsonObject): JsonObject {
  return sampleObject(schema, 0);
}

function sampleObject(schema: JsonObject, depth: number): JsonObject {
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  const fields = Object.entries(properties).filter(([name]) => required.includes(name));
  return Object.fromEntries(
    fields.map(([name, field]) => [name, isObject(field) ? sampleOf(field, depth) : null]),
  );
}

function sampleOf(schema: JsonObject, depth: number): Json {
  if (schema["const"] !== undefined) return schema["const"];
  for (const name of ["examples", "enum"]) {
    const [first] = Array.isArray(schema[name]) ? schema[name] : [];
    if (first !== undefined) return first;
  }
  if (schema["default"] !== undefined) return schema["default"];
  const { type: types } = schema;
  const type = Array.isArray(types) ? types[0] : types;
  if (type === "object" && depth < deepest) return sampleObject(schema, depth + 1);
  const { minimum } = schema;
  switch (type) {
    case "integer":
    case "number":
      return typeof minimum === "number" ? minimum : 1;
    case "boolean":
      return true;
    case "array":
      return [];
    case "null":
      return null;
    case "string":
      return "text";
    default:
      return {};
  }
}
