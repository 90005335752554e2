import type { JsonObject } from "@toolhost/contract";
import { isObject } from "#lib/json";

const plainTypes = new Set(["string", "number", "integer", "boolean", "object", "array", "null"]);

/** Converts a JSON Schema of an object to a tool's output schema, which is a list of properties; undefined for other schemas. */
export function toOutputSchema(schema: JsonObject): JsonObject | undefined {
  const branches = Array.isArray(schema["anyOf"]) ? schema["anyOf"].filter(isObject) : [schema];
  const objects = branches.filter(({ type }) => type === "object");
  if (objects.length === 0 || objects.length < branches.length) return undefined;
  const names = new Set(objects.flatMap((one) => Object.keys(propertiesOf(one))));
  const properties = Array.from(names, (name) => {
    const having = objects.filter((one) => Object.hasOwn(propertiesOf(one), name));
    const found = having.map((one) => propertiesOf(one)[name]).filter(isObject);
    const isEverywhere =
      having.length === objects.length && having.every((one) => requiredOf(one).includes(name));
    return propertyOf(name, found, isEverywhere);
  });
  return { properties };
}

function propertyOf(name: string, found: JsonObject[], isEverywhere: boolean): JsonObject {
  const types = new Set(found.map(typeOf));
  const [first = {}] = found;
  const { type: _type, description = "", $ref: _ref, ...rest } = first;
  return {
    name,
    type: types.size === 1 ? (types.values().next().value ?? "any") : "any",
    description,
    ...(isEverywhere ? {} : { optional: true }),
    ...(found.length === 1 ? rest : {}),
  };
}

function typeOf(schema: JsonObject): string {
  const { type } = schema;
  return typeof type === "string" && plainTypes.has(type) ? type : "any";
}

function propertiesOf(schema: JsonObject): JsonObject {
  return isObject(schema["properties"]) ? schema["properties"] : {};
}

function requiredOf(schema: JsonObject): readonly unknown[] {
  return Array.isArray(schema["required"]) ? schema["required"] : [];
}
