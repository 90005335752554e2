import type { JsonObject } from "@toolhost/contract";
import { isObject } from "#lib/json";
import type { Json } from "#lib/json";

/** A member of an object's schema, as the visual editor shows it. The schema itself stays the only truth. */
export type Field = { name: string; isRequired: boolean; schema: JsonObject };

/** What kinds of values the visual editor offers; `other` is all that it shows as JSON. */
const kinds = ["string", "number", "integer", "boolean", "object", "array", "other"] as const;
export type Kind = (typeof kinds)[number];

/** The members of an object's schema in their order. What is no schema of an object is shown as an open one. */
export function fieldsOf(schema: JsonObject): Field[] {
  const required = requiredOf(schema);
  return Object.entries(membersOf(schema)).map(([name, value]) => ({
    name,
    isRequired: required.includes(name),
    schema: isObject(value) ? value : {},
  }));
}

/** Whether the visual editor shows all of a schema's own shape, so that it can be changed there. */
export function kindOf(schema: JsonObject): Kind {
  const { type } = schema;
  const isPlain = !["$ref", "anyOf", "oneOf", "allOf", "prefixItems", "const"].some((word) =>
    Object.hasOwn(schema, word),
  );
  const found = kinds.find((kind) => kind === type);
  return isPlain && found !== undefined ? found : "other";
}

/** A new member of a name that is free. */
export function addField(schema: JsonObject): JsonObject {
  const members = membersOf(schema);
  let name = "field";
  for (let count = 2; Object.hasOwn(members, name); count += 1) name = `field${count}`;
  return withMembers(schema, [...Object.entries(members), [name, { type: "string" }]]);
}

/** Another name at the same place; undefined where the name is empty or taken. */
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

/** Another schema of a member. */
export function setField(schema: JsonObject, name: string, field: JsonObject): JsonObject {
  const entries = Object.entries(membersOf(schema));
  return withMembers(
    schema,
    entries.map(([one, value]): [string, Json] => [one, one === name ? field : value]),
  );
}

/** Without the member. */
export function removeField(schema: JsonObject, name: string): JsonObject {
  const entries = Object.entries(membersOf(schema)).filter(([one]) => one !== name);
  return withRequired(
    withMembers(schema, entries),
    requiredOf(schema).filter((one) => one !== name),
  );
}

/** A step up (-1) or down (1) in the order in which the form asks. */
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

/** Says whether the member may be left out. */
export function setRequired(schema: JsonObject, name: string, isRequired: boolean): JsonObject {
  const others = requiredOf(schema).filter((one) => one !== name);
  return withRequired(schema, isRequired ? [...others, name] : others);
}

const words = {
  string: ["minLength", "maxLength", "pattern", "format"],
  number: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  object: ["properties", "required", "additionalProperties", "patternProperties"],
  array: ["items", "minItems", "maxItems", "uniqueItems", "contains"],
} as const;
const begun: Readonly<Partial<Record<Kind, JsonObject>>> = {
  object: { properties: {}, additionalProperties: false },
  array: { items: { type: "string" } },
};

/** Another kind of value. What means nothing for it any more leaves; words, such as the description, stay. */
export function setKind(schema: JsonObject, kind: Kind): JsonObject {
  if (kind === "other" || kind === kindOf(schema)) return schema;
  const kept: JsonObject = { ...schema };
  const family = kind === "integer" ? "number" : kind;
  for (const [name, members] of Object.entries(words))
    if (name !== family) for (const member of members) delete kept[member];
  for (const member of ["enum", "const", "default", "$ref", "anyOf", "oneOf", "allOf"])
    delete kept[member];
  return { ...begun[kind], ...kept, type: kind };
}

/** Sets a member of a schema, or takes it out. */
export function setKeyword(schema: JsonObject, word: string, value: Json | undefined): JsonObject {
  if (value !== undefined) return { ...schema, [word]: value };
  const { [word]: _gone, ...rest } = schema;
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
