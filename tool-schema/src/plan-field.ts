import { humanizeKey } from "./humanize-key.ts";
import { isObject, own, textAt } from "./json.ts";
import type { Json, JsonObject } from "./json.ts";
import * as messages from "./messages.ts";
import { resolveSchema } from "./resolve-schema.ts";

export type Choice = { label: string; value: Json };
export type Variant = { label: string; schema: Json };
export type TextInput =
  | "single-line"
  | "password"
  | "multiline"
  | "color"
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
  /** Any number of the choices, each at most once. */
  | { kind: "multiselect"; choices: readonly Choice[] }
  | { kind: "list"; items: Json | undefined; prefix: readonly Json[] }
  | { kind: "object"; names: readonly string[]; additional: Json | undefined }
  | { kind: "variants"; variants: readonly Variant[] }
  /** No other field fits, so the user enters JSON. */
  | { kind: "json" };

/** The kind of form field for a value of a schema. */
export type FieldPlan = Kind & { schema: JsonObject; isNullable: boolean };

/** Text that may be longer than this gets several lines. */
const maxSingleLineLength = 200;
/** An example that does not fit into a line shows that several are usual. */
const maxExampleLength = 80;
const maxChoices = 500;
const maxVariants = 20;
const maxPrefixItems = 20;
const maxFields = 200;
/** With more choices, adding items one by one is quicker than scanning checkboxes. */
const maxCheckboxes = 30;

const inputsByFormat: Readonly<Record<string, TextInput>> = {
  color: "color",
  date: "date",
  time: "time",
  "date-time": "date-time",
  email: "email",
  "idn-email": "email",
  uri: "url",
  url: "url",
  iri: "url",
  password: "password",
  textarea: "multiline",
  markdown: "multiline",
};

/** Plans the form field for a schema. References are resolved in `root`. */
export function planField(root: JsonObject, unresolved: Json | undefined): FieldPlan {
  const { schema, isNullable } = removeNull(root, resolveSchema(root, unresolved));
  return { ...planKind(root, schema), schema, isNullable };
}

function planKind(root: JsonObject, schema: JsonObject): Kind {
  if (Object.hasOwn(schema, "const")) return { kind: "const", value: schema["const"] ?? null };
  const choices = choicesOf(root, schema);
  if (choices !== undefined) return { kind: "choice", choices };
  const variants = variantsOf(root, schema);
  if (variants !== undefined) return { kind: "variants", variants };
  const type = own(schema, "type") ?? impliedType(schema);
  if (type === "string") return { kind: "text", input: textInputOf(schema) };
  if (type === "number" || type === "integer") {
    return { kind: "number", isWhole: type === "integer" };
  }
  if (type === "boolean") return { kind: "boolean" };
  if (type === "array") return planMultiselect(root, schema) ?? planList(schema);
  return type === "object" ? planObject(schema) : { kind: "json" };
}

function impliedType(schema: JsonObject): string | undefined {
  if (isObject(own(schema, "properties"))) return "object";
  return isObject(own(schema, "items")) ? "array" : undefined;
}

function textInputOf(schema: JsonObject): TextInput {
  const format = textAt(schema, "format") ?? "";
  const input = Object.hasOwn(inputsByFormat, format) ? inputsByFormat[format] : undefined;
  if (input !== undefined) return input;
  if (schema["writeOnly"] === true) return "password";
  const { maxLength, minLength } = schema;
  const isLong = [maxLength, minLength].some(
    (size) => typeof size === "number" && size > maxSingleLineLength,
  );
  return isLong || hasLongText(schema) || textAt(schema, "contentMediaType")?.startsWith("text/")
    ? "multiline"
    : "single-line";
}

/** Whether the example or the default is longer than a line, unlike what the schema says. */
function hasLongText(schema: JsonObject): boolean {
  const examples = own(schema, "examples");
  const texts = [own(schema, "default"), ...(Array.isArray(examples) ? examples.slice(0, 3) : [])];
  return texts.some(
    (text) => typeof text === "string" && (text.includes("\n") || text.length > maxExampleLength),
  );
}

function planMultiselect(root: JsonObject, schema: JsonObject): Kind | undefined {
  if (own(schema, "uniqueItems") !== true || Object.hasOwn(schema, "prefixItems")) return undefined;
  const choices = choicesOf(root, resolveSchema(root, own(schema, "items")));
  return choices === undefined || choices.length > maxCheckboxes
    ? undefined
    : { kind: "multiselect", choices };
}

function planList(schema: JsonObject): Kind {
  const prefix = own(schema, "prefixItems");
  const items = own(schema, "items");
  if (!Array.isArray(prefix)) {
    return items === undefined || items === true || items === false
      ? { kind: "json" }
      : { kind: "list", items, prefix: [] };
  }
  return prefix.length > maxPrefixItems
    ? { kind: "json" }
    : { kind: "list", items: items === false ? undefined : items, prefix };
}

function planObject(schema: JsonObject): Kind {
  const properties = own(schema, "properties");
  const names = isObject(properties) ? Object.keys(properties) : [];
  const additional = own(schema, "additionalProperties");
  if (names.length > maxFields) return { kind: "json" };
  if (isObject(additional) || additional === true) return { kind: "object", names, additional };
  // The schema declares no members, so there is nothing to make fields of.
  if (!isObject(properties) && additional !== false) return { kind: "json" };
  return { kind: "object", names, additional: undefined };
}

/** The choices of an `enum`, or of alternatives that each have a single constant value. */
function choicesOf(root: JsonObject, schema: JsonObject): Choice[] | undefined {
  const values = own(schema, "enum");
  if (Array.isArray(values) && values.length > 0 && values.length <= maxChoices) {
    const isNamed = areWords(values);
    return values.map((value) => ({
      label: isNamed && typeof value === "string" ? humanizeKey(value) : labelOf(value),
      value,
    }));
  }
  const alternatives = alternativesOf(schema).map((alternative) =>
    resolveSchema(root, alternative),
  );
  if (alternatives.length < 2 || alternatives.length > maxChoices) return undefined;
  if (!alternatives.every((alternative) => Object.hasOwn(alternative, "const"))) return undefined;
  return alternatives.map((alternative) => {
    const value = alternative["const"] ?? null;
    return { label: textAt(alternative, "title") ?? labelOf(value), value };
  });
}

function variantsOf(root: JsonObject, schema: JsonObject): Variant[] | undefined {
  const { type, oneOf: _, anyOf: __, ...rest } = schema;
  if (Array.isArray(type) && type.length > 1) {
    return type.map((name) => ({ label: typeLabelOf(name), schema: { ...rest, type: name } }));
  }
  const alternatives = alternativesOf(schema);
  if (alternatives.length === 0 || alternatives.length > maxVariants) return undefined;
  // Alternatives beside properties, such as "one of these is required", constrain the object. The server checks them.
  if (Object.hasOwn(schema, "properties")) return undefined;
  const resolved = alternatives.map((alternative) => resolveSchema(root, alternative));
  const labels = resolved.map((variant) => textAt(variant, "title") ?? labelByValue(variant));
  return resolved.map((variant, index) => {
    const label = labels[index];
    const isUnique = label !== undefined && labels.indexOf(label) === labels.lastIndexOf(label);
    const uniqueLabel = isUnique
      ? label
      : (labelByFields(variant) ?? messages.numberedVariant(index + 1));
    return { label: uniqueLabel, schema: { ...pick(schema, "type"), ...variant } };
  });
}

/** The constants of a variant, such as `kind: "email"`, which usually tell variants apart. */
function labelByConstants(schema: JsonObject): string | undefined {
  const properties = own(schema, "properties");
  const values = Object.values(isObject(properties) ? properties : {}).flatMap((property) => {
    const value = isObject(property) ? own(property, "const") : undefined;
    return typeof value === "string" && value !== "" ? [value] : [];
  });
  return values.length === 0 ? undefined : values.slice(0, 2).join(", ");
}

function labelByFields(schema: JsonObject): string | undefined {
  const properties = own(schema, "properties");
  const names = isObject(properties) ? Object.keys(properties) : [];
  return names.length === 0 ? undefined : messages.variantWithFields(names.slice(0, 3));
}

function alternativesOf(schema: JsonObject): Json[] {
  const alternatives = own(schema, "oneOf") ?? own(schema, "anyOf");
  return Array.isArray(alternatives) ? alternatives : [];
}

function labelByValue(schema: JsonObject): string | undefined {
  if (Object.hasOwn(schema, "const")) return labelOf(schema["const"] ?? null);
  const constants = labelByConstants(schema);
  if (constants !== undefined) return constants;
  const type = own(schema, "type") ?? impliedType(schema);
  return type === undefined ? undefined : typeLabelOf(type);
}

function typeLabelOf(type: Json): string {
  const name = typeof type === "string" ? type : "json";
  return Object.hasOwn(messages.typeLabels, name) ? (messages.typeLabels[name] ?? name) : name;
}

function pick(schema: JsonObject, name: string): JsonObject {
  const value = own(schema, name);
  return value === undefined ? {} : { [name]: value };
}

/** Removes null from the allowed values, whether by type, enum or alternative. */
function removeNull(
  root: JsonObject,
  schema: JsonObject,
): { schema: JsonObject; isNullable: boolean } {
  const { type } = schema;
  if (Array.isArray(type) && type.includes("null")) {
    const others = type.filter((name) => name !== "null");
    const only = others.length === 1 ? others[0] : undefined;
    return { schema: dropNullChoice({ ...schema, type: only ?? others }), isNullable: true };
  }
  const values = own(schema, "enum");
  if (Array.isArray(values) && values.includes(null) && values.length > 1) {
    return { schema: dropNullChoice(schema), isNullable: true };
  }
  for (const keyword of ["anyOf", "oneOf"] as const) {
    const alternatives = own(schema, keyword);
    if (!Array.isArray(alternatives)) continue;
    const others = alternatives.filter((alternative) => !isNull(resolveSchema(root, alternative)));
    if (others.length === alternatives.length || others.length === 0) continue;
    const { [keyword]: _, ...rest } = schema;
    const only = others.length === 1 ? resolveSchema(root, others[0]) : { [keyword]: others };
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

/** Whether all values are lower-case words and one has underscores, such as "requested_by_customer". Codes such as "eur" are none. */
function areWords(values: readonly Json[]): boolean {
  const texts = values.filter((value) => typeof value === "string");
  return (
    texts.length === values.length &&
    texts.every((text) => /^[a-z]{3,}(?:_[a-z0-9]+)*$/.test(text)) &&
    texts.some((text) => text.includes("_"))
  );
}

function labelOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
