import type { JsonObject } from "@toolhost/contract";
import { isObject } from "#lib/json";

/** Lists the properties of an output schema, which are an array; invalid items are left out. */
export function propertiesOf(schema: JsonObject): JsonObject[] {
  const { properties } = schema;
  return Array.isArray(properties) ? properties.filter(isObject) : [];
}

/** Replaces the list of properties. */
export function withProperties(schema: JsonObject, properties: readonly JsonObject[]): JsonObject {
  return { ...schema, properties: [...properties] };
}

/** Adds a property with an unused name. */
export function addProperty(schema: JsonObject): JsonObject {
  const properties = propertiesOf(schema);
  const names = new Set(properties.map(({ name }) => name));
  let name = "result";
  for (let count = 2; names.has(name); count += 1) name = `result${count}`;
  return withProperties(schema, [...properties, { name, type: "string", description: "" }]);
}

/** Moves a property up (-1) or down (1). */
export function moveProperty(schema: JsonObject, at: number, step: -1 | 1): JsonObject {
  const properties = propertiesOf(schema);
  const moved = properties[at];
  const other = properties[at + step];
  if (moved === undefined || other === undefined) return schema;
  return withProperties(
    schema,
    properties.map((one, index) => (index === at ? other : index === at + step ? moved : one)),
  );
}
