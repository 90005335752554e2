import type { JsonObject } from "@toolhost/contract";
import { isObject } from "#lib/json";
import type { Json } from "#lib/json";

/** A property of an object schema, as the visual editor shows it. The schema stays the single source of truth. */
export type Field = { name: string; isRequired: boolean; schema: JsonObject };

/** The types that the visual editor offers; `other` is edited as JSON. */
const kinds = ["string", "number", "integer", "boolean", "object", "array", "other"] as const;
export type Kind = (typeof kinds)[number];

/** Lists the properties of an object schema in order. Anything else counts as an object without properties. */
export function fieldsOf(schema: JsonObject): Field[] {
  const required = requiredOf(schema);
  return Object.entries(membersOf(schema)).map(([name, value]) => ({
    name,
    isRequired: required.includes(name),
    schema: isObject(value) ? value : {},
  }));
}

/** Returns the type of a schema that the visual editor can show completely, or `other`. */
export function kindOf(schema: JsonObject): Kind {
  const { type } = schema;
  const isPlain = !["$ref", "anyOf", "oneOf", "allOf", "prefixItems", "const"].some((keyword) =>
    Object.hasOwn(schema, keyword),
  );
  const found = kinds.find((kind) => kind === type);
  return isPlain && found !== undefined ? found : "other";
}

/** Adds a property with an unused name. */
export function addField(schema: JsonObject): JsonObject {
  const members = membersOf(schema);
  let name = "field";
  for (let count = 2; Object.hasOwn(members, name); count += 1) name = `field${count}`;
  return withMembers(schema, [...Object.entries(members), [name, { type: "string" }]]);
}

/** Renames a property in place; undefined when the name is empty or taken. */
export function renameField(schema: JsonObject, from: string, to: string): JsonObject | undefined {
  const members = membersOf(schema);
  if (to === "" || (to !== from && Object.hasOwn(members, to))) return undefined;
  const renamed = Object.entries(members).map(([name, value]): [string, Json] => [
    name === from ? to : name,
    value,
  ]);
  const required = requiredOf(schema).map((name) => (name === from ? to : name));
  return withRequired(withMembers(schema, renamed), required);
}

/** Replaces the schema of a property. */
export function setField(schema: JsonObject, name: string, field: JsonObject): JsonObject {
  const entries = Object.entries(membersOf(schema));
  return withMembers(
    schema,
    entries.map(([one, value]): [string, Json] => [one, one === name ? field : value]),
  );
}

/** Removes a property. */
export function removeField(schema: JsonObject, name: string): JsonObject {
  const entries = Object.entries(membersOf(schema)).filter(([one]) => one !== name);
  return withRequired(
    withMembers(schema, entries),
    requiredOf(schema).filter((one) => one !== name),
  );
}

/** Moves a property up (-1) or down (1), which is the order in which the form asks. */
export function moveField(schema: JsonObject, name: string, step: -1 | 1): JsonObject {
  const entries = Object.entries(membersOf(schema));
  const at = entries.findIndex(([one]) => one === name);
  const other = entries[at + step];
  const moved = entries[at];
  if (other === undefined || moved === undefined) return schema;
  entries[at + step] = moved;
  entries[at] = other;
  return withMembers(schema, entries);
}

/** Sets whether a property is required. */
export function setRequired(schema: JsonObject, name: string, isRequired: boolean): JsonObject {
  const others = requiredOf(schema).filter((one) => one !== name);
  return withRequired(schema, isRequired ? [...others, name] : others);
}

const keywordsByType = {
  string: ["minLength", "maxLength", "pattern", "format"],
  number: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  object: ["properties", "required", "additionalProperties", "patternProperties"],
  array: ["items", "minItems", "maxItems", "uniqueItems", "contains"],
} as const;
const initialKeywords: Readonly<Partial<Record<Kind, JsonObject>>> = {
  object: { properties: {}, additionalProperties: false },
  array: { items: { type: "string" } },
};

/** Changes the type. Keywords that do not apply to the new type are removed; the description and others stay. */
export function setKind(schema: JsonObject, kind: Kind): JsonObject {
  if (kind === "other" || kind === kindOf(schema)) return schema;
  const next: JsonObject = { ...schema };
  const family = kind === "integer" ? "number" : kind;
  for (const [name, members] of Object.entries(keywordsByType))
    if (name !== family) for (const member of members) delete next[member];
  for (const member of ["enum", "const", "default", "$ref", "anyOf", "oneOf", "allOf"])
    delete next[member];
  return { ...initialKeywords[kind], ...next, type: kind };
}

/** Sets a keyword of a schema, or removes it. */
export function setKeyword(
  schema: JsonObject,
  keyword: string,
  value: Json | undefined,
): JsonObject {
  if (value !== undefined) return { ...schema, [keyword]: value };
  const { [keyword]: _removed, ...rest } = schema;
  return rest;
}

function membersOf(schema: JsonObject): JsonObject {
  return isObject(schema["properties"]) ? schema["properties"] : {};
}

function requiredOf(schema: JsonObject): string[] {
  const { required } = schema;
  return Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
}

function withMembers(
  schema: JsonObject,
  entries: readonly (readonly [string, Json])[],
): JsonObject {
  return { ...schema, type: "object", properties: Object.fromEntries(entries) };
}

function withRequired(schema: JsonObject, required: string[]): JsonObject {
  return setKeyword(schema, "required", required.length === 0 ? undefined : required);
}
