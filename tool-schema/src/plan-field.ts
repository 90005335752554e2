import { isObject, own, textAt } from "./json.ts";
import type { Json, JsonObject } from "./json.ts";
import { typeLabels, variantLabels } from "./messages.ts";
import { resolveSchema } from "./resolve.ts";

export type Choice = { label: string; value: Json };
export type Variant = { label: string; schema: Json };
export type TextInput =
  | "line"
  | "secret"
  | "lines"
  | "date"
  | "time"
  | "date-time"
  | "email"
  | "url";

type Kind =
  | { kind: "text"; input: TextInput }
  | { kind: "number"; isWhole: boolean }
  | { kind: "boolean" }
  | { kind: "const"; value: Json }
  | { kind: "choice"; choices: readonly Choice[] }
  /** Any of these, each at most once. */
  | { kind: "set"; choices: readonly Choice[] }
  | { kind: "list"; items: Json | undefined; prefix: readonly Json[] }
  | { kind: "object"; names: readonly string[]; more: Json | undefined }
  | { kind: "variants"; variants: readonly Variant[] }
  /** What no field shows: it is written as JSON. */
  | { kind: "json" };

/** How a schema is asked for in a form. */
export type FieldPlan = Kind & { schema: JsonObject; isNullable: boolean };

const longText = 200;
const maxChoices = 500;
const maxFields = 200;
/** More than that is quicker added one by one than looked through. */
const maxBoxes = 30;

const inputsOfFormats: Readonly<Record<string, TextInput>> = {
  date: "date",
  time: "time",
  "date-time": "date-time",
  email: "email",
  "idn-email": "email",
  uri: "url",
  url: "url",
  iri: "url",
  password: "secret",
  textarea: "lines",
  markdown: "lines",
};

/** Decides how a value of this schema is asked for. `root` is where its references are looked up. */
export function planField(root: JsonObject, given: Json | undefined): FieldPlan {
  const { schema, isNullable } = withoutNull(root, resolveSchema(root, given));
  return { ...planKind(root, schema), schema, isNullable };
}

function planKind(root: JsonObject, schema: JsonObject): Kind {
  if (Object.hasOwn(schema, "const")) return { kind: "const", value: schema["const"] ?? null };
  const choices = choicesOf(root, schema);
  if (choices !== undefined) return { kind: "choice", choices };
  const variants = variantsOf(root, schema);
  if (variants !== undefined) return { kind: "variants", variants };
  const type = own(schema, "type") ?? impliedType(schema);
  if (type === "string") return { kind: "text", input: inputOf(schema) };
  if (type === "number" || type === "integer") {
    return { kind: "number", isWhole: type === "integer" };
  }
  if (type === "boolean") return { kind: "boolean" };
  if (type === "array") return planSet(root, schema) ?? planList(schema);
  return type === "object" ? planObject(schema) : { kind: "json" };
}

function impliedType(schema: JsonObject): string | undefined {
  if (isObject(own(schema, "properties"))) return "object";
  return isObject(own(schema, "items")) ? "array" : undefined;
}

function inputOf(schema: JsonObject): TextInput {
  const format = textAt(schema, "format") ?? "";
  const known = Object.hasOwn(inputsOfFormats, format) ? inputsOfFormats[format] : undefined;
  if (known !== undefined) return known;
  if (schema["writeOnly"] === true) return "secret";
  const { maxLength, minLength } = schema;
  const isLong = [maxLength, minLength].some((size) => typeof size === "number" && size > longText);
  return isLong || textAt(schema, "contentMediaType")?.startsWith("text/") ? "lines" : "line";
}

function planSet(root: JsonObject, schema: JsonObject): Kind | undefined {
  if (own(schema, "uniqueItems") !== true || Object.hasOwn(schema, "prefixItems")) return undefined;
  const choices = choicesOf(root, resolveSchema(root, own(schema, "items")));
  return choices === undefined || choices.length > maxBoxes ? undefined : { kind: "set", choices };
}

function planList(schema: JsonObject): Kind {
  const prefix = own(schema, "prefixItems");
  const items = own(schema, "items");
  if (!Array.isArray(prefix)) {
    return items === undefined || items === true || items === false
      ? { kind: "json" }
      : { kind: "list", items, prefix: [] };
  }
  return prefix.length > 20
    ? { kind: "json" }
    : { kind: "list", items: items === false ? undefined : items, prefix };
}

function planObject(schema: JsonObject): Kind {
  const properties = own(schema, "properties");
  const names = isObject(properties) ? Object.keys(properties) : [];
  const isListed = isObject(properties);
  const more = own(schema, "additionalProperties");
  if (names.length > maxFields) return { kind: "json" };
  if (isObject(more) || more === true) return { kind: "object", names, more };
  // A plain object whose members nobody named can only be written as JSON.
  if (!isListed && more !== false) return { kind: "json" };
  return { kind: "object", names, more: undefined };
}

/** Values to choose from, by `enum` or by alternatives that are one value each. */
function choicesOf(root: JsonObject, schema: JsonObject): Choice[] | undefined {
  const values = own(schema, "enum");
  if (Array.isArray(values) && values.length > 0 && values.length <= maxChoices) {
    return values.map((value) => ({ label: labelOf(value), value }));
  }
  const alternatives = alternativesOf(schema).map((one) => resolveSchema(root, one));
  if (alternatives.length < 2 || alternatives.length > maxChoices) return undefined;
  if (!alternatives.every((one) => Object.hasOwn(one, "const"))) return undefined;
  return alternatives.map((one) => {
    const value = one["const"] ?? null;
    return { label: textAt(one, "title") ?? labelOf(value), value };
  });
}

function variantsOf(root: JsonObject, schema: JsonObject): Variant[] | undefined {
  const { type, oneOf: _, anyOf: __, ...rest } = schema;
  if (Array.isArray(type) && type.length > 1) {
    return type.map((one) => ({ label: nameType(one), schema: { ...rest, type: one } }));
  }
  const alternatives = alternativesOf(schema);
  if (alternatives.length === 0 || alternatives.length > 20) return undefined;
  // Alternatives beside fields of their own, such as "one of these is required", are the server's to judge.
  if (Object.hasOwn(schema, "properties")) return undefined;
  const resolved = alternatives.map((one) => resolveSchema(root, one));
  const labels = resolved.map((one) => textAt(one, "title") ?? nameKind(one));
  return resolved.map((one, index) => {
    const label = labels[index];
    const isTold = label !== undefined && labels.indexOf(label) === labels.lastIndexOf(label);
    const title = isTold ? label : (nameByFields(one) ?? variantLabels.numbered(index + 1));
    return { label: title, schema: { ...pick(schema, "type"), ...one } };
  });
}

/** By what is always the same in it, such as `kind: "email"`: that is how alternatives are told apart. */
function nameByConstants(schema: JsonObject): string | undefined {
  const properties = own(schema, "properties");
  const values = Object.values(isObject(properties) ? properties : {}).flatMap((one) => {
    const value = isObject(one) ? own(one, "const") : undefined;
    return typeof value === "string" && value !== "" ? [value] : [];
  });
  return values.length === 0 ? undefined : values.slice(0, 2).join(", ");
}

function nameByFields(schema: JsonObject): string | undefined {
  const properties = own(schema, "properties");
  const names = isObject(properties) ? Object.keys(properties) : [];
  return names.length === 0 ? undefined : variantLabels.withFields(names.slice(0, 3));
}

function alternativesOf(schema: JsonObject): Json[] {
  const alternatives = own(schema, "oneOf") ?? own(schema, "anyOf");
  return Array.isArray(alternatives) ? alternatives : [];
}

function nameKind(schema: JsonObject): string | undefined {
  if (Object.hasOwn(schema, "const")) return labelOf(schema["const"] ?? null);
  const constants = nameByConstants(schema);
  if (constants !== undefined) return constants;
  const type = own(schema, "type") ?? impliedType(schema);
  return type === undefined ? undefined : nameType(type);
}

function nameType(type: Json): string {
  const name = typeof type === "string" ? type : "json";
  return Object.hasOwn(typeLabels, name) ? (typeLabels[name] ?? name) : name;
}

function pick(schema: JsonObject, name: string): JsonObject {
  const value = own(schema, name);
  return value === undefined ? {} : { [name]: value };
}

/** Takes "or null" out of a schema, in whichever way it is said. */
function withoutNull(
  root: JsonObject,
  schema: JsonObject,
): { schema: JsonObject; isNullable: boolean } {
  const { type } = schema;
  if (Array.isArray(type) && type.includes("null")) {
    const others = type.filter((one) => one !== "null");
    const only = others.length === 1 ? others[0] : undefined;
    return { schema: dropNullChoice({ ...schema, type: only ?? others }), isNullable: true };
  }
  const values = own(schema, "enum");
  if (Array.isArray(values) && values.includes(null) && values.length > 1) {
    return { schema: dropNullChoice(schema), isNullable: true };
  }
  for (const word of ["anyOf", "oneOf"] as const) {
    const alternatives = own(schema, word);
    if (!Array.isArray(alternatives)) continue;
    const others = alternatives.filter((one) => !isNull(resolveSchema(root, one)));
    if (others.length === alternatives.length || others.length === 0) continue;
    const { [word]: _, ...rest } = schema;
    const only = others.length === 1 ? resolveSchema(root, others[0]) : { [word]: others };
    return { schema: { ...only, ...rest }, isNullable: true };
  }
  return { schema, isNullable: false };
}

function dropNullChoice(schema: JsonObject): JsonObject {
  const values = own(schema, "enum");
  return Array.isArray(values)
    ? { ...schema, enum: values.filter((value) => value !== null) }
    : schema;
}

function isNull(schema: JsonObject): boolean {
  return schema["type"] === "null" || (Object.hasOwn(schema, "const") && schema["const"] === null);
}

function labelOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
