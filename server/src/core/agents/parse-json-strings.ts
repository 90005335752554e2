import type { JsonObject } from "@toolhost/contract";
import type { JsonParser, Validation } from "#core/validation";
import { isJsonObject } from "#lib/json-object";
import { StrictJsonError } from "#lib/strict-json";

/**
 * Agents sometimes send a value as a JSON string. Where the schema expects another type and the string is JSON of that
 * type, this replaces the string by the parsed value, and wraps a single string into an expected array of strings. All
 * other values stay unchanged, and so do strings that would make the input exceed its limits. Returns the same object if
 * nothing changes. Throws `rate_limited` when the workspace has used up its CPU time.
 */
export function parseJsonStrings(
  { validation, workspaceId }: { validation: Validation; workspaceId: string },
  value: unknown,
  schema: unknown,
): unknown {
  return validation.readJson(workspaceId, value, (parse) => readValue(value, schema, parse));
}

function readValue(value: unknown, schema: unknown, parse: JsonParser): unknown {
  if (!isJsonObject(schema)) return value;
  const read = typeof value === "string" ? readString(value, schema, parse) : value;
  if (isJsonObject(read)) return readFields(read, schema["properties"], parse);
  if (Array.isArray(read) && isJsonObject(schema["items"]))
    return readItems(read, schema["items"], parse);
  return read;
}

function readItems(
  list: readonly unknown[],
  schema: unknown,
  parse: JsonParser,
): readonly unknown[] {
  const items = list.map((item) => readValue(item, schema, parse));
  return items.every((item, index) => item === list[index]) ? list : items;
}

/** Reads only the fields that the schema names, since an input may have many others. */
function readFields(value: JsonObject, properties: unknown, parse: JsonParser): JsonObject {
  if (!isJsonObject(properties)) return value;
  const changed = Object.entries(properties).flatMap(([name, schema]) => {
    if (!Object.hasOwn(value, name)) return [];
    const read = readValue(value[name], schema, parse);
    return read === value[name] ? [] : [[name, read] as const];
  });
  if (changed.length === 0) return value;
  return Object.fromEntries([...Object.entries(value), ...changed]) as JsonObject;
}

function readString(text: string, schema: JsonObject, parse: JsonParser): unknown {
  const types = typesOf(schema);
  if (types.length === 0 || types.includes("string")) return text;
  const read = tryParse(text, parse);
  if (types.some((type) => isOf(type, read))) return read;
  const { items } = schema;
  const isListOfTexts =
    types.includes("array") && isJsonObject(items) && items["type"] === "string";
  return isListOfTexts ? [text] : text;
}

function tryParse(text: string, parse: JsonParser): unknown {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof StrictJsonError) return undefined;
    throw error;
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
