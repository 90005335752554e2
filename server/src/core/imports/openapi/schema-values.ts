import { isObject, own } from "@toolhost/tool-schema/json";
import type { Json, JsonObject } from "@toolhost/tool-schema/json";
import { inputLimits } from "./limits.ts";

const types = new Set(["string", "number", "integer", "boolean", "object", "array", "null"]);

/** The types that a schema allows; empty if it allows any, or names none that exist. */
function typesOf(schema: JsonObject): string[] {
  const declared = [own(schema, "type")].flat(2);
  const known = declared.filter((type) => typeof type === "string" && types.has(type)) as string[];
  if (own(schema, "nullable") === true && known.length > 0) known.push("null");
  return [...new Set(known)];
}

/** The one type other than null, also if only the schema's keywords imply it. */
export function mainTypeOf(schema: JsonObject): string | undefined {
  const declared = typesOf(schema).filter((type) => type !== "null");
  if (declared.length > 0) return declared.length === 1 ? declared[0] : undefined;
  if (Object.hasOwn(schema, "properties")) return "object";
  const values = own(schema, "enum") ?? (Object.hasOwn(schema, "const") ? [schema["const"]] : []);
  const found = new Set((Array.isArray(values) ? values : []).map((value) => typeOfValue(value)));
  found.delete("null");
  return found.size === 1 ? [...found][0] : undefined;
}

function typeOfValue(value: Json | undefined): string {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value === "number" && Number.isInteger(value) ? "integer" : typeof value;
}

function hasType(value: Json, allowed: readonly string[]): boolean {
  const type = typeOfValue(value);
  return allowed.includes(type) || (type === "integer" && allowed.includes("number"));
}

/** Values of `enum` without repeats; undefined if there are none, or too many to list. */
export function choicesOf(schema: JsonObject, maxLength: number): Json[] | undefined {
  const values = own(schema, "enum");
  if (!Array.isArray(values) || values.length === 0 || values.length > 1_000) return undefined;
  const unique = new Map(values.map((value) => [JSON.stringify(value), value]));
  // In OpenAPI 3.0, an enum of a nullable schema need not repeat null.
  if (typesOf(schema).includes("null")) unique.set("null", null);
  const length = [...unique.keys()].reduce((sum, text) => sum + text.length, 0);
  const isPlain = [...unique.values()].every(
    (value) => typeof value !== "object" || value === null,
  );
  return length <= maxLength && isPlain ? [...unique.values()] : undefined;
}

/** The types to declare: none if they would refuse all of the schema's own values. */
export function typesFor(schema: JsonObject, choices: readonly Json[] | undefined): string[] {
  const declared = typesOf(schema);
  return choices === undefined || choices.some((value) => hasType(value, declared)) ? declared : [];
}

/** Whether the product can check the pattern. Documents also have patterns of other languages. */
export function isUsablePattern(pattern: string): boolean {
  if (pattern.length > inputLimits.patternLength || /^\/.*\/[a-z]*$/su.test(pattern)) return false;
  try {
    return new RegExp(pattern, "u").source !== "";
  } catch {
    return false;
  }
}

const counts = ["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"];
const bounds = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"];

/** Keywords that limit numbers, lengths and sizes, if their values are valid. */
export function rangesOf(schema: JsonObject): JsonObject {
  const found: JsonObject = {};
  for (const name of bounds) {
    const value = own(schema, name);
    if (typeof value === "number" && Number.isFinite(value)) found[name] = value;
  }
  // Before OpenAPI 3.1 these were flags beside the bound.
  if (own(schema, "exclusiveMinimum") === true) rename(found, "minimum", "exclusiveMinimum");
  if (own(schema, "exclusiveMaximum") === true) rename(found, "maximum", "exclusiveMaximum");
  for (const name of counts) {
    const value = own(schema, name);
    if (typeof value === "number" && Number.isInteger(value) && value >= 0) found[name] = value;
  }
  const step = own(schema, "multipleOf");
  if (typeof step === "number" && Number.isFinite(step) && step > 0) found["multipleOf"] = step;
  if (own(schema, "uniqueItems") === true) found["uniqueItems"] = true;
  return found;
}

function rename(found: JsonObject, from: string, to: string): void {
  const value = found[from];
  if (value === undefined) return;
  delete found[from];
  found[to] = value;
}

const formats = new Set([
  "date",
  "date-time",
  "time",
  "duration",
  "email",
  "hostname",
  "ipv4",
  "ipv6",
  "uri",
  "uri-reference",
  "uuid",
  "json-pointer",
  "password",
]);

/** The format if the product knows it. */
export function formatOf(schema: JsonObject): string | undefined {
  const format = own(schema, "format");
  return typeof format === "string" && formats.has(format) ? format : undefined;
}

/** Whether a property of this name can be checked. Validators find these names on every object. */
export function isUsableName(name: string): boolean {
  return !(name in Object.prototype) && name.length <= 200 && !/[\p{Cc}\p{Cs}]/u.test(name);
}

/** Whether callers never send the value: the API sets it. */
export function isReadOnly(schema: Json | undefined): boolean {
  return isObject(schema) && own(schema, "readOnly") === true;
}

/** Whether the value is a secret of the caller. */
export function isSecret(schema: Json | undefined): boolean {
  if (!isObject(schema)) return false;
  return own(schema, "format") === "password" || own(schema, "writeOnly") === true;
}

/** Whether the value is a file: bytes that JSON cannot contain. */
export function isBinary(schema: Json | undefined): boolean {
  if (!isObject(schema)) return false;
  const type = mainTypeOf(schema);
  if (type !== undefined && type !== "string") return false;
  if (own(schema, "format") === "binary") return true;
  const mediaType = own(schema, "contentMediaType");
  const isText = typeof mediaType !== "string" || /^text\/|json|xml/.test(mediaType);
  return !isText && !Object.hasOwn(schema, "contentEncoding");
}

const nestedKeywords = ["properties", "items", "oneOf", "anyOf", "allOf", "additionalProperties"];

/** Whether the schema contains others. */
export function isNested(schema: JsonObject): boolean {
  return nestedKeywords.some((name) => typeof own(schema, name) === "object");
}

/** Whether the target of a reference is written in its place, because it is no longer than a reference. */
export function isSimple(schema: JsonObject): boolean {
  return (
    !isNested(schema) && (choicesOf(schema, 200) !== undefined || !Object.hasOwn(schema, "enum"))
  );
}

/** Whether the value is none with members. */
export function isScalar(value: Json | undefined): boolean {
  return value !== undefined && typeof value !== "object";
}

/** Whether the value is short enough to be shown beside a schema. */
export function isShown(value: Json | undefined): boolean {
  return isScalar(value) && JSON.stringify(value).length <= 200;
}

/** The schema if it has keywords; an empty one for true. */
export function asObject(schema: Json): JsonObject {
  return isObject(schema) ? schema : {};
}

/** As a part of `allOf`, where `additionalProperties: false` would refuse the properties of the other parts. */
export function withoutClosing(schema: Json): Json {
  if (!isObject(schema)) return schema;
  const { additionalProperties, ...rest } = schema;
  return additionalProperties === false || additionalProperties === undefined ? rest : schema;
}
