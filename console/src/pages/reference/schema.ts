import { sampleInput } from "@toolhost/tool-schema";
import { isObject, numberAt, objectsAt, own, textAt } from "@toolhost/tool-schema/json";
import type { Json, JsonObject } from "@toolhost/tool-schema/json";
import { messages } from "./messages.ts";

/** How deep one text describes a schema, and how many references are followed to an object. */
const maxDepth = 6;
/** Alternatives can double at each level, so their total is limited as well as their depth. */
const maxSteps = 100;
const maxChoices = 16;

/** A type in a few words: "array of Tool, up to 50". */
export function describeType(schema: JsonObject, depth = 0): string {
  if (depth > maxDepth) return "…";
  const inner = (member: Json | undefined) =>
    isObject(member) ? describeType(member, depth + 1) : messages.types.any;
  const name = refName(schema);
  if (name !== undefined) return name;
  if (own(schema, "const") !== undefined) return JSON.stringify(schema["const"]);
  const choices = schema["enum"];
  if (Array.isArray(choices)) return listed(choices.map((choice) => JSON.stringify(choice)));
  const members = alternativesOf(schema);
  if (members.length > 0) return listed(members.map(inner));
  const bounds = messages.types.bounds(boundsOf(schema));
  if (schema["type"] === "array")
    return `${messages.types.arrayOf(inner(schema["items"]))}${bounds}`;
  if (schema["type"] === "object" && isObject(schema["additionalProperties"])) {
    return messages.types.objectOf(inner(schema["additionalProperties"]));
  }
  const text = typesOf(schema).join(" | ") || messages.types.any;
  const format = textAt(schema, "format");
  return `${text}${format === undefined ? "" : ` (${format})`}${bounds}`;
}

function typesOf({ type }: JsonObject): string[] {
  return [type].flat().filter((name) => typeof name === "string");
}

function listed(choices: readonly string[]): string {
  const more = choices.length > maxChoices ? " | …" : "";
  return [...new Set(choices.slice(0, maxChoices))].join(" | ") + more;
}

/** The largest integers of JavaScript are no bounds. */
function boundsOf(schema: JsonObject) {
  const max =
    numberAt(schema, "maxLength") ?? numberAt(schema, "maxItems") ?? numberAt(schema, "maximum");
  const min = numberAt(schema, "minimum");
  return {
    min: min === undefined || min <= Number.MIN_SAFE_INTEGER ? undefined : min,
    max: max === undefined || max >= Number.MAX_SAFE_INTEGER ? undefined : max,
    isLength: numberAt(schema, "maxLength") !== undefined,
  };
}

export type Field = { name: string; isRequired: boolean; description: string; schema: JsonObject };

/** One shape of an object, with the name of its schema if it has one. */
export type Shape = { name: string | undefined; fields: readonly Field[] };

/** The objects that a schema contains: itself, its alternatives, or the items of its lists. */
export function shapesOf(root: JsonObject, schema: JsonObject): Shape[] {
  return findShapes(root, schema, { depth: maxDepth, budget: { left: maxSteps } });
}

type Limits = { depth: number; budget: { left: number } };

function findShapes(root: JsonObject, schema: JsonObject, { depth, budget }: Limits): Shape[] {
  budget.left -= 1;
  if (depth === 0 || budget.left < 0) return [];
  const resolved = follow(root, schema);
  const properties = own(resolved, "properties");
  if (isObject(properties)) {
    return [{ name: refName(schema), fields: fieldsOf(resolved, properties) }];
  }
  const inner = [
    ...alternativesOf(resolved),
    ...objectsAt(resolved, "allOf"),
    ...[own(resolved, "items"), own(resolved, "additionalProperties")].filter(isObject),
  ];
  return inner.flatMap((member) => findShapes(root, member, { depth: depth - 1, budget }));
}

function fieldsOf(schema: JsonObject, properties: JsonObject): Field[] {
  const required = own(schema, "required");
  return Object.entries(properties).map(([name, value]) => {
    const field = isObject(value) ? value : {};
    return {
      name,
      isRequired: Array.isArray(required) && required.includes(name),
      description: textAt(field, "description") ?? "",
      schema: field,
    };
  });
}

function alternativesOf(schema: JsonObject): JsonObject[] {
  return [...objectsAt(schema, "anyOf"), ...objectsAt(schema, "oneOf")];
}

/** The schema that a reference names. References to references end after some steps, so that a circle does as well. */
function follow(root: JsonObject, schema: JsonObject): JsonObject {
  let current = schema;
  for (let step = 0; step < maxDepth; step += 1) {
    const name = refName(current);
    if (name === undefined) return current;
    const components = own(root, "components");
    const schemas = isObject(components) ? own(components, "schemas") : undefined;
    const found = isObject(schemas) ? own(schemas, name) : undefined;
    if (!isObject(found)) return {};
    current = found;
  }
  return {};
}

function refName(schema: JsonObject): string | undefined {
  return textAt(schema, "$ref")?.split("/").at(-1);
}

/** The choices of a parameter that has a fixed set of them. */
export function choicesOf(schema: JsonObject): string[] {
  const choices = own(schema, "enum");
  if (schema["type"] === "boolean") return ["true", "false"];
  return Array.isArray(choices) ? choices.filter((choice) => typeof choice === "string") : [];
}

/** A value of the schema to start from. A schema that accepts anything gives an empty object. */
export function sampleOf(root: JsonObject, schema: JsonObject): Json {
  const isAny = ["$ref", "type", "anyOf", "oneOf", "enum", "const"].every(
    (name) => !Object.hasOwn(schema, name),
  );
  if (isAny) return {};
  const inputSchema = { ...root, properties: { value: schema }, required: ["value"] };
  return sampleInput({ inputSchema, fileFields: [], examples: [] })["value"] ?? null;
}
