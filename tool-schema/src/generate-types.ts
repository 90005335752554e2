import { countChoices } from "./count-choices.ts";
import { isObject, own, textAt } from "./json.ts";
import type { Json, JsonObject } from "./json.ts";
import * as messages from "./messages.ts";
import { findReference } from "./resolve-schema.ts";
import { docComment, literalType, propertyKey, toTypeName } from "./typescript-syntax.ts";

const maxSchemas = 3_000;
const maxChoices = 300;
const maxTypes = 200;
const maxDepth = 25;
/** Of the union that an intersection of unions is. */
const maxMembers = 10_000;

/** The state of one generation. */
type Generation = {
  root: JsonObject;
  /** What the names of types start with that the caller did not name. */
  prefix: string;
  names: Map<Json, string>;
  /** Schemas that have a name but no declaration yet. */
  pending: Json[];
  /** The sizes of unions that were counted. */
  choiceCounts: Map<Json, number>;
  /** How many more schemas may be converted. */
  left: number;
};

/**
 * Where a schema is within a declaration. A type alias may refer to itself only inside an object or an array, so `aliases`
 * has the schemas whose declaration encloses this one without an object or array in between.
 */
type Position = { depth: number; indent: string; aliases: ReadonlySet<Json> };

/**
 * Declares the type of a schema, and a type for each schema that it refers to, including recursive ones. Dangling
 * references, and schemas beyond the limits, are `unknown`.
 */
export function generateTypes(root: JsonObject, name: string, description: string): string {
  return declareTypes(root, new Map([[root, name]]), { prefix: name, description }).join("\n\n");
}

type Options = {
  /** What the names of referenced types start with. */
  prefix: string;
  /** Documents the root if its schema has no description. */
  description?: string;
};

/** Declares a type for each of the named schemas of a document, and for the schemas that they refer to. */
export function declareTypes(
  root: JsonObject,
  named: ReadonlyMap<Json, string>,
  { prefix, description }: Options,
): string[] {
  const names = new Map(named);
  const generation: Generation = {
    root,
    prefix,
    names,
    pending: [...named.keys()],
    choiceCounts: new Map(),
    left: maxSchemas,
  };
  const declarations: string[] = [];
  for (
    let schema = generation.pending.shift();
    schema !== undefined;
    schema = generation.pending.shift()
  ) {
    const documented = isObject(schema) ? textAt(schema, "description") : undefined;
    const doc = docComment(documented ?? (schema === root ? description : undefined), "");
    const type = typeOf(generation, schema, { depth: 0, indent: "", aliases: new Set([schema]) });
    declarations.push(`${doc}type ${names.get(schema) ?? prefix} = ${type};`);
  }
  return declarations;
}

function typeOf(generation: Generation, schema: Json | undefined, position: Position): string {
  if (schema === false) return "never";
  generation.left -= 1;
  if (!isObject(schema) || position.depth > maxDepth || generation.left < 0) return "unknown";
  if (countChoices(generation.root, schema, generation.choiceCounts) > maxMembers) return "unknown";
  const parts = [
    ...referenceType(generation, schema, position),
    ...typesOfAll(generation, own(schema, "allOf"), position),
    ...typeOfAny(generation, own(schema, "oneOf"), position),
    ...typeOfAny(generation, own(schema, "anyOf"), position),
    ...valueType(generation, schema, position),
  ].filter((part) => part !== "unknown");
  const type = joinTypes([...new Set(parts)], " & ");
  return own(schema, "nullable") === true && type !== "unknown"
    ? joinTypes([type, "null"], " | ")
    : type;
}

/** Joins types into one, in parentheses so that it can be part of another type. */
function joinTypes(types: readonly string[], operator: " & " | " | "): string {
  const [first = "unknown", ...others] = types;
  return others.length === 0 ? first : `(${types.join(operator)})`;
}

function referenceType(
  generation: Generation,
  schema: JsonObject,
  { aliases }: Position,
): string[] {
  const reference = textAt(schema, "$ref");
  if (reference === undefined) return [];
  const target = findReference(generation.root, reference);
  if (!isObject(target) || isSelfReference(generation.root, target, aliases)) return [];
  const existing = generation.names.get(target);
  if (existing !== undefined) return [existing];
  if (generation.names.size >= maxTypes) return [];
  const alias = unusedName(generation, toTypeName(reference.split("/").at(-1) ?? ""));
  generation.names.set(target, alias);
  generation.pending.push(target);
  return [alias];
}

function unusedName({ prefix, names }: Generation, suffix: string): string {
  const taken = new Set(names.values());
  const base = `${prefix}${suffix === "" ? "Part" : suffix}`;
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? base : `${base}_${number}`;
    if (!taken.has(candidate)) return candidate;
  }
}

const maxSteps = 500;

/** Whether a schema reaches one of the aliases without an object or array in between, which TypeScript rejects as circular. */
function isSelfReference(root: JsonObject, from: JsonObject, aliases: ReadonlySet<Json>): boolean {
  const seen = new Set<Json>();
  const queue: Json[] = [from];
  for (let schema = queue.pop(); schema !== undefined; schema = queue.pop()) {
    if (aliases.has(schema) || seen.size > maxSteps) return true;
    if (!isObject(schema) || seen.has(schema)) continue;
    seen.add(schema);
    const reference = textAt(schema, "$ref");
    const target = reference === undefined ? undefined : findReference(root, reference);
    if (target !== undefined) queue.push(target);
    for (const keyword of ["allOf", "anyOf", "oneOf"]) {
      const parts = own(schema, keyword);
      if (Array.isArray(parts)) queue.push(...parts.slice(0, maxSteps));
    }
  }
  return false;
}

function nested(position: Position): Position {
  return { ...position, depth: position.depth + 1 };
}

/** Inside an object or an array, where a type may refer to itself. */
function nestedInMember({ depth, indent }: Position): Position {
  return { depth: depth + 1, indent: `${indent}  `, aliases: new Set() };
}

function typesOfAll(generation: Generation, parts: Json | undefined, position: Position): string[] {
  if (!Array.isArray(parts)) return [];
  return parts.slice(0, maxChoices).map((part) => typeOf(generation, part, nested(position)));
}

function typeOfAny(generation: Generation, parts: Json | undefined, position: Position): string[] {
  if (!Array.isArray(parts) || parts.length === 0 || parts.length > maxChoices) return [];
  return [unionType(parts.map((part) => typeOf(generation, part, nested(position))))];
}

function unionType(types: readonly string[]): string {
  if (types.includes("unknown")) return "unknown";
  const members = [...new Set(types)].filter((type) => type !== "never");
  return members.length === 0 ? "never" : joinTypes(members, " | ");
}

/** The type that the schema's own keywords describe. */
function valueType(generation: Generation, schema: JsonObject, position: Position): string[] {
  if (Object.hasOwn(schema, "const")) return [choiceType(schema["const"])];
  const choices = own(schema, "enum");
  if (Array.isArray(choices) && choices.length > 0 && choices.length <= maxChoices) {
    return [unionType(choices.map(choiceType))];
  }
  const types = own(schema, "type");
  if (Array.isArray(types)) {
    return [unionType(types.map((type) => typeByName(generation, schema, type, position)))];
  }
  return [typeByName(generation, schema, types ?? impliedType(schema), position)];
}

function choiceType(value: Json | undefined): string {
  if (value === null || typeof value === "string" || typeof value === "boolean") {
    return literalType(value);
  }
  return typeof value === "number" ? literalType(value) : "unknown";
}

function impliedType(schema: JsonObject): string | undefined {
  const hasAny = (...keywords: string[]) =>
    keywords.some((keyword) => Object.hasOwn(schema, keyword));
  if (hasAny("properties", "required", "additionalProperties")) return "object";
  return hasAny("items", "prefixItems") ? "array" : undefined;
}

function typeByName(
  generation: Generation,
  schema: JsonObject,
  type: Json | undefined,
  position: Position,
): string {
  switch (type) {
    case "string":
    case "number":
    case "boolean":
    case "null":
      return type;
    case "integer":
      return "number";
    case "array":
      return listType(generation, schema, position);
    case "object":
      return objectType(generation, schema, position);
    default:
      return "unknown";
  }
}

function listType(generation: Generation, schema: JsonObject, position: Position): string {
  const items = own(schema, "items");
  const prefix = own(schema, "prefixItems");
  const rest =
    items === undefined ? "unknown" : typeOf(generation, items, nestedInMember(position));
  if (!Array.isArray(prefix) || prefix.length === 0 || prefix.length > maxChoices) {
    return `${rest}[]`;
  }
  const min = own(schema, "minItems");
  const requiredCount = typeof min === "number" ? min : 0;
  const elements = prefix.map((item, index) => {
    const type = typeOf(generation, item, nestedInMember(position));
    return index < requiredCount ? type : `${type}?`;
  });
  const spread = rest === "never" ? [] : [`...${rest}[]`];
  return `[${[...elements, ...spread].join(", ")}]`;
}

function objectType(generation: Generation, schema: JsonObject, position: Position): string {
  const declared = own(schema, "properties");
  const properties = isObject(declared) ? declared : {};
  const requiredNames = own(schema, "required");
  const required = new Set(
    Array.isArray(requiredNames) ? requiredNames.filter((name) => typeof name === "string") : [],
  );
  const names = [...new Set([...Object.keys(properties), ...required])];
  const additional = own(schema, "additionalProperties");
  if (names.length === 0) return recordType(generation, schema, additional, position);
  const inner = nestedInMember(position);
  const members = names.flatMap((name) => {
    if (generation.left < 0) return [];
    const member = own(properties, name);
    const doc = docComment(isObject(member) ? describe(member) : undefined, inner.indent);
    const type = typeOf(generation, member, inner);
    return [`${doc}${inner.indent}${propertyKey(name)}${required.has(name) ? "" : "?"}: ${type};`];
  });
  const isOpen =
    isObject(additional) || additional === true || Object.hasOwn(schema, "patternProperties");
  const rest = isOpen || generation.left < 0 ? [`${inner.indent}[name: string]: unknown;`] : [];
  return `{\n${[...members, ...rest].join("\n")}\n${position.indent}}`;
}

function recordType(
  generation: Generation,
  schema: JsonObject,
  additional: Json | undefined,
  position: Position,
): string {
  const isPattern = Object.hasOwn(schema, "patternProperties");
  if (additional === false && !isPattern) return "Record<string, never>";
  const type =
    isPattern || additional === undefined
      ? "unknown"
      : typeOf(generation, additional, nestedInMember(position));
  // An index signature, because an alias may not refer to itself in the type arguments of `Record`.
  return type === "unknown" ? "Record<string, unknown>" : `{ [name: string]: ${type} }`;
}

function describe(schema: JsonObject): string {
  const format = textAt(schema, "format");
  const deprecated = own(schema, "deprecated") === true ? "@deprecated" : "";
  const formatNote = format === undefined ? "" : messages.formatComment(format);
  return [textAt(schema, "description") ?? "", formatNote, deprecated].filter(Boolean).join("\n\n");
}
