import type { ErrorObject } from "ajv/dist/2020.js";
import type { ErrorDetail, JsonObject } from "@toolhost/contract";
import { positionIn } from "#lib/json-position";
import { pointerParts } from "#lib/pointer";
import { spend } from "./meter.ts";
import { escapePointer } from "./schema-walk.ts";

export const maxErrors = 100;
const maxShownValues = 20;
const maxShownLength = 1_000;
const maxWordsLength = 1_100;
/** Finding positions in a larger schema takes too long. */
const maxPositionLength = 64 * 1024;

/** Converts errors of ajv. */
export function toDetails(errors: readonly ErrorObject[]): ErrorDetail[] {
  return (
    errors
      // The errors of `then` and `else` already explain it.
      .filter(({ keyword }) => keyword !== "if")
      .slice(0, maxErrors)
      .map((error) => toDetail(error))
  );
}

function toDetail(error: ErrorObject): ErrorDetail {
  const { instancePath, keyword, params } = error;
  const below = (name: unknown) => `${instancePath}/${escapePointer(String(name))}`;
  if (keyword === "required")
    return { path: below(params["missingProperty"]), message: "is required" };
  if (keyword === "additionalProperties" || keyword === "unevaluatedProperties") {
    const name = params["additionalProperty"] ?? params["unevaluatedProperty"];
    return { path: below(name), message: "is not a field of this tool" };
  }
  return { path: instancePath, message: toWords(error) };
}

/** The message of an error as the predicate of a sentence; for `enum` and `const` with the allowed values. */
export function toWords({ keyword, params, message = "is not valid" }: ErrorObject): string {
  const words = wordsFor[keyword];
  return (words?.(params) ?? message.replace("must NOT", "must not")).slice(0, maxWordsLength);
}

type Params = Readonly<Record<string, unknown>>;

const wordsFor: Readonly<Record<string, (params: Params) => string>> = {
  enum: ({ allowedValues }) => `must be one of ${list(allowedValues)}`,
  const: ({ allowedValue }) => `must be ${shortened(allowedValue)}`,
  type: ({ type }) => `must be ${describeTypes(type)}`,
  minLength: ({ limit }) => `must have at least ${count(limit, "character")}`,
  maxLength: ({ limit }) => `must have at most ${count(limit, "character")}`,
  minItems: ({ limit }) => `must have at least ${count(limit, "item")}`,
  maxItems: ({ limit }) => `must have at most ${count(limit, "item")}`,
  minProperties: ({ limit }) => `must have at least ${count(limit, "field")}`,
  maxProperties: ({ limit }) => `must have at most ${count(limit, "field")}`,
  minimum: ({ limit }) => `must be at least ${String(limit)}`,
  maximum: ({ limit }) => `must be at most ${String(limit)}`,
  exclusiveMinimum: ({ limit }) => `must be greater than ${String(limit)}`,
  exclusiveMaximum: ({ limit }) => `must be less than ${String(limit)}`,
  multipleOf: ({ multipleOf }) => `must be a multiple of ${String(multipleOf)}`,
  pattern: ({ pattern }) => `must match the pattern ${String(pattern)}`,
  format: ({ format }) => formats[String(format)] ?? `must have the format ${String(format)}`,
  uniqueItems: ({ i, j }) =>
    `must not have duplicate items (items ${String(j)} and ${String(i)} are identical)`,
  contains: ({ minContains, maxContains }) => {
    const most = typeof maxContains === "number" ? ` and at most ${maxContains}` : "";
    return `must have at least ${count(minContains, "item")}${most} matching the schema in contains`;
  },
  propertyNames: ({ propertyName }) => `must not have a field named ${shortened(propertyName)}`,
  not: () => "must not match the schema in not",
  "false schema": () => "is not allowed",
};

const dateTime = "must be a date and time, such as 2026-01-31T12:00:00Z";
const email = "must be an email address, such as ada@example.com";
const uri = "must be a URL, such as https://example.com/page";

/** The messages for formats, with an example where the name alone does not show how to write a value. */
const formats: Readonly<Record<string, string>> = {
  date: "must be a date, such as 2026-01-31",
  time: "must be a time, such as 12:30:00Z",
  "date-time": dateTime,
  "iso-time": "must be a time, such as 12:30:00",
  "iso-date-time": dateTime,
  duration: "must be a duration, such as P1DT12H",
  email,
  "idn-email": email,
  hostname: "must be a host name, such as example.com",
  ipv4: "must be an IPv4 address, such as 192.0.2.1",
  ipv6: "must be an IPv6 address, such as 2001:db8::1",
  uri,
  url: uri,
  "uri-reference": "must be a URL or path, such as /page",
  "uri-template": "must be a URI template, such as https://example.com/{id}",
  uuid: "must be a UUID, such as 123e4567-e89b-12d3-a456-426614174000",
  "json-pointer": "must be a JSON pointer, such as /items/0",
  "relative-json-pointer": "must be a relative JSON pointer, such as 1/items",
  regex: "must be a regular expression",
  byte: "must be Base64",
};

const typeNames: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  integer: "an integer",
  boolean: "a boolean",
  array: "an array",
  object: "an object",
};

/** Types of JSON Schema with their articles, such as "a string or null". */
export function describeTypes(types: unknown): string {
  const all: unknown[] = Array.isArray(types) ? types : [types];
  return all.map((type) => typeNames[String(type)] ?? String(type)).join(" or ");
}

function count(limit: unknown, noun: string): string {
  return `${String(limit)} ${noun}${limit === 1 ? "" : "s"}`;
}

function list(values: unknown): string {
  const all: unknown[] = Array.isArray(values) ? values : [];
  const shown = shortened(all.slice(0, maxShownValues));
  const rest = all.length - maxShownValues;
  return rest > 0 ? `${shown} or ${rest} other values` : shown;
}

function shortened(value: unknown): string {
  const text = JSON.stringify(value);
  spend(text.length / 8);
  return text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : text;
}

/** A problem in a schema, with line and column unless the schema is too long. */
export function problemAt(schema: JsonObject, pointer: string, message: string): ErrorDetail {
  const problem = { path: `/inputSchema${pointer}`, message, file: "inputSchema.json" };
  if (JSON.stringify(schema).length > maxPositionLength) return { path: problem.path, message };
  return { ...problem, ...positionIn(schema, pointerParts(pointer)) };
}
