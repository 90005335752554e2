import { parseStrictJson } from "#lib/strict-json";
import type { JsonObject } from "@toolhost/contract";
import { isJsonObject } from "#lib/json-object";

/**
 * Agents send values as JSON in a string now and then. Where a schema asks for another type than text and the
 * string is JSON of that type, this puts the value in its place, and a lone text into a list of texts; whatever
 * else stays as it is. The very same value where nothing is read.
 */
export function readJsonStrings(value: unknown, schema: unknown): unknown {
  if (!isJsonObject(schema)) return value;
  const read = typeof value === "string" ? readString(value, schema) : value;
  if (isJsonObject(read)) return readFields(read, schema["properties"]);
  if (Array.isArray(read) && isJsonObject(schema["items"])) return readItems(read, schema["items"]);
  return read;
}

function readItems(list: readonly unknown[], schema: unknown): readonly unknown[] {
  const items = list.map((item) => readJsonStrings(item, schema));
  return items.every((item, index) => item === list[index]) ? list : items;
}

/** Looks at the fields that the schema names alone, for there may be many others. */
function readFields(value: JsonObject, properties: unknown): JsonObject {
  if (!isJsonObject(properties)) return value;
  const changed = Object.entries(properties).flatMap(([name, schema]) => {
    if (!Object.hasOwn(value, name)) return [];
    const read = readJsonStrings(value[name], schema);
    return read === value[name] ? [] : [[name, read] as const];
  });
  if (changed.length === 0) return value;
  return Object.fromEntries([...Object.entries(value), ...changed]) as JsonObject;
}

function readString(text: string, schema: JsonObject): unknown {
  const types = typesOf(schema);
  if (types.length === 0 || types.includes("string")) return text;
  const read = parse(text);
  if (types.some((type) => isOf(type, read))) return read;
  const { items } = schema;
  const isListOfTexts =
    types.includes("array") && isJsonObject(items) && items["type"] === "string";
  return isListOfTexts ? [text] : text;
}

function parse(text: string): unknown {
  try {
    return parseStrictJson(text);
  } catch {
    return undefined;
  }
}

function isOf(type: string, value: unknown): boolean {
  if (type === "object") return isJsonObject(value);
  if (type === "array") return Array.isArray(value);
  if (type === "integer") return Number.isSafeInteger(value);
  if (type === "number") return typeof value === "number" && Number.isFinite(value);
  return type === "boolean" && typeof value === "boolean";
}

function typesOf(schema: JsonObject): string[] {
  const { type } = schema;
  const types = Array.isArray(type) ? type : [type];
  return types.filter((one) => typeof one === "string");
}
