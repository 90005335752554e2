import { isObject, own, textAt } from "./json.ts";
import type { Json, JsonObject } from "./json.ts";
import { typeComments } from "./messages.ts";
import { findReference } from "./resolve.ts";
import { comment, literal, property, typeName } from "./type-text.ts";

const maxSchemas = 3_000;
const maxChoices = 300;
const maxTypes = 200;
const deepest = 25;

/** What one set of types is written with: names of referenced schemas, and how much may still be written. */
type Writing = {
  root: JsonObject;
  name: string;
  names: Map<Json, string>;
  /** Schemas that have a name and no declaration yet. */
  due: Json[];
  left: number;
};

/** Where a schema stands: how deep, and inside of which types' own definition, not counting objects and lists. */
type Place = { depth: number; indent: string; open: ReadonlySet<Json> };

/**
 * Declares the type of a schema under a name, and of each schema that it refers to, recursive ones too. References that
 * lead nowhere and what goes beyond the bounds are `unknown`.
 */
export function writeTypes(root: JsonObject, name: string, about: string): string {
  const writing: Writing = {
    root,
    name,
    names: new Map([[root, name]]),
    due: [root],
    left: maxSchemas,
  };
  const written: string[] = [];
  for (let schema = writing.due.shift(); schema !== undefined; schema = writing.due.shift()) {
    const given = writing.names.get(schema) ?? name;
    const said = isObject(schema) ? textAt(schema, "description") : undefined;
    const doc = comment(said ?? (schema === root ? about : undefined), "");
    const type = typeOf(writing, schema, { depth: 0, indent: "", open: new Set([schema]) });
    written.push(`${doc}type ${given} = ${type};`);
  }
  return written.join("\n\n");
}

function typeOf(writing: Writing, schema: Json | undefined, place: Place): string {
  if (schema === false) return "never";
  writing.left -= 1;
  if (!isObject(schema) || place.depth > deepest || writing.left < 0) return "unknown";
  const parts = [
    ...referred(writing, schema, place),
    ...all(writing, own(schema, "allOf"), place),
    ...oneOf(writing, own(schema, "oneOf"), place),
    ...oneOf(writing, own(schema, "anyOf"), place),
    ...valueType(writing, schema, place),
  ].filter((part) => part !== "unknown");
  const type = joined([...new Set(parts)], " & ");
  return own(schema, "nullable") === true && type !== "unknown"
    ? joined([type, "null"], " | ")
    : type;
}

/** Several types as one, kept together in whatever it is put into. */
function joined(types: readonly string[], by: " & " | " | "): string {
  const [first = "unknown", ...others] = types;
  return others.length === 0 ? first : `(${types.join(by)})`;
}

function referred(writing: Writing, schema: JsonObject, { open }: Place): string[] {
  const reference = textAt(schema, "$ref");
  if (reference === undefined) return [];
  const target = findReference(writing.root, reference);
  if (!isObject(target) || leadsTo(writing.root, target, open)) return [];
  const known = writing.names.get(target);
  if (known !== undefined) return [known];
  if (writing.names.size >= maxTypes) return [];
  const given = freeName(writing, typeName(reference.split("/").at(-1) ?? ""));
  writing.names.set(target, given);
  writing.due.push(target);
  return [given];
}

function freeName({ name, names }: Writing, wish: string): string {
  const taken = new Set(names.values());
  const first = `${name}${wish === "" ? "Part" : wish}`;
  for (let number = 1; ; number++) {
    const given = number === 1 ? first : `${first}_${number}`;
    if (!taken.has(given)) return given;
  }
}

const maxSteps = 500;

/** Whether a schema is, without an object or a list between, one of those that are being written: no type is itself. */
function leadsTo(root: JsonObject, from: JsonObject, open: ReadonlySet<Json>): boolean {
  const seen = new Set<Json>();
  const waiting: Json[] = [from];
  for (let schema = waiting.pop(); schema !== undefined; schema = waiting.pop()) {
    if (open.has(schema) || seen.size > maxSteps) return true;
    if (!isObject(schema) || seen.has(schema)) continue;
    seen.add(schema);
    const reference = textAt(schema, "$ref");
    const target = reference === undefined ? undefined : findReference(root, reference);
    if (target !== undefined) waiting.push(target);
    for (const keyword of ["allOf", "anyOf", "oneOf"]) {
      const parts = own(schema, keyword);
      if (Array.isArray(parts)) waiting.push(...parts.slice(0, maxSteps));
    }
  }
  return false;
}

function inner(place: Place): Place {
  return { ...place, depth: place.depth + 1 };
}

/** Inside of an object or a list, where a type may speak of itself. */
function below({ depth, indent }: Place): Place {
  return { depth: depth + 1, indent: `${indent}  `, open: new Set() };
}

function all(writing: Writing, parts: Json | undefined, place: Place): string[] {
  if (!Array.isArray(parts)) return [];
  return parts.slice(0, maxChoices).map((part) => typeOf(writing, part, inner(place)));
}

function oneOf(writing: Writing, parts: Json | undefined, place: Place): string[] {
  if (!Array.isArray(parts) || parts.length === 0 || parts.length > maxChoices) return [];
  return [union(parts.map((part) => typeOf(writing, part, inner(place))))];
}

function union(types: readonly string[]): string {
  if (types.includes("unknown")) return "unknown";
  const different = [...new Set(types)].filter((type) => type !== "never");
  return different.length === 0 ? "never" : joined(different, " | ");
}

/** What the schema itself says of its values: one type, or none. */
function valueType(writing: Writing, schema: JsonObject, place: Place): string[] {
  if (Object.hasOwn(schema, "const")) return [choice(schema["const"])];
  const choices = own(schema, "enum");
  if (Array.isArray(choices) && choices.length > 0 && choices.length <= maxChoices) {
    return [union(choices.map(choice))];
  }
  const types = own(schema, "type");
  if (Array.isArray(types)) {
    return [union(types.map((type) => named(writing, schema, type, place)))];
  }
  return [named(writing, schema, types ?? impliedType(schema), place)];
}

function choice(value: Json | undefined): string {
  if (value === null || typeof value === "string" || typeof value === "boolean") {
    return literal(value);
  }
  return typeof value === "number" ? literal(value) : "unknown";
}

function impliedType(schema: JsonObject): string | undefined {
  const says = (...keywords: string[]) =>
    keywords.some((keyword) => Object.hasOwn(schema, keyword));
  if (says("properties", "required", "additionalProperties")) return "object";
  return says("items", "prefixItems") ? "array" : undefined;
}

function named(writing: Writing, schema: JsonObject, type: Json | undefined, place: Place): string {
  switch (type) {
    case "string":
    case "number":
    case "boolean":
    case "null":
      return type;
    case "integer":
      return "number";
    case "array":
      return listType(writing, schema, place);
    case "object":
      return objectType(writing, schema, place);
    default:
      return "unknown";
  }
}

function listType(writing: Writing, schema: JsonObject, place: Place): string {
  const items = own(schema, "items");
  const prefix = own(schema, "prefixItems");
  const rest = items === undefined ? "unknown" : typeOf(writing, items, below(place));
  if (!Array.isArray(prefix) || prefix.length === 0 || prefix.length > maxChoices) {
    return `${rest}[]`;
  }
  const least = own(schema, "minItems");
  const needed = typeof least === "number" ? least : 0;
  const first = prefix.map((item, index) => {
    const type = typeOf(writing, item, below(place));
    return index < needed ? type : `${type}?`;
  });
  const more = rest === "never" ? [] : [`...${rest}[]`];
  return `[${[...first, ...more].join(", ")}]`;
}

function objectType(writing: Writing, schema: JsonObject, place: Place): string {
  const given = own(schema, "properties");
  const properties = isObject(given) ? given : {};
  const required = own(schema, "required");
  const needed = new Set(
    Array.isArray(required) ? required.filter((name) => typeof name === "string") : [],
  );
  const names = [...new Set([...Object.keys(properties), ...needed])];
  const more = own(schema, "additionalProperties");
  if (names.length === 0) return recordType(writing, schema, more, place);
  const inside = below(place);
  const members = names.flatMap((name) => {
    if (writing.left < 0) return [];
    const member = own(properties, name);
    const doc = comment(isObject(member) ? docOf(member) : undefined, inside.indent);
    const type = typeOf(writing, member, inside);
    return [`${doc}${inside.indent}${property(name)}${needed.has(name) ? "" : "?"}: ${type};`];
  });
  const isOpen = isObject(more) || more === true || Object.hasOwn(schema, "patternProperties");
  const rest = isOpen || writing.left < 0 ? [`${inside.indent}[name: string]: unknown;`] : [];
  return `{\n${[...members, ...rest].join("\n")}\n${place.indent}}`;
}

function recordType(
  writing: Writing,
  schema: JsonObject,
  more: Json | undefined,
  place: Place,
): string {
  const isPattern = Object.hasOwn(schema, "patternProperties");
  if (more === false && !isPattern) return "Record<string, never>";
  const type = isPattern || more === undefined ? "unknown" : typeOf(writing, more, below(place));
  // As an index and not as `Record`, inside of which a type may not speak of itself.
  return type === "unknown" ? "Record<string, unknown>" : `{ [name: string]: ${type} }`;
}

function docOf(schema: JsonObject): string {
  const format = textAt(schema, "format");
  const deprecated = own(schema, "deprecated") === true ? "@deprecated" : "";
  const told = format === undefined ? "" : typeComments.format(format);
  return [textAt(schema, "description") ?? "", told, deprecated].filter(Boolean).join("\n\n");
}
