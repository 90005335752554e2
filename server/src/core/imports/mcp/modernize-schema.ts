import type { JsonObject } from "@toolhost/contract";
import { walkSchemas } from "#core/validation";
import { isJsonObject } from "#lib/json-object";
import { cleanText } from "#lib/clean-text";

const maxTextLength = 2_000;

/**
 * A copy of a schema as JSON Schema 2020-12: servers use drafts 4 to 7 and keywords of OpenAPI. Descriptions and titles
 * are without invisible characters. Keywords that only address readers are left out.
 */
export function modernizeSchema(original: JsonObject): JsonObject {
  const schema = JSON.parse(JSON.stringify(original)) as JsonObject;
  delete schema["$schema"];
  delete schema["$id"];
  for (const { schema: part } of walkSchemas(schema)) {
    modernizeItems(part);
    modernizeDependencies(part);
    modernizeLimit(part, "minimum", "exclusiveMinimum");
    modernizeLimit(part, "maximum", "exclusiveMaximum");
    modernizeType(part);
    deleteKeywordsForReaders(part);
    for (const keyword of ["description", "title"]) {
      const text = part[keyword];
      if (text === undefined) continue;
      if (typeof text === "string") part[keyword] = cleanText(text, maxTextLength);
      else delete part[keyword];
    }
  }
  return schema;
}

/** Before 2020-12, `items` was also a list of schemas by position. */
function modernizeItems(schema: JsonObject): void {
  const { items, additionalItems } = schema;
  delete schema["additionalItems"];
  if (!Array.isArray(items)) return;
  delete schema["items"];
  if (items.length > 0) schema["prefixItems"] = items;
  if (additionalItems !== undefined) schema["items"] = additionalItems;
}

/** Before 2019-09, one keyword had both kinds of dependencies. */
function modernizeDependencies(schema: JsonObject): void {
  const { dependencies } = schema;
  delete schema["dependencies"];
  if (!isJsonObject(dependencies)) return;
  const all = Object.entries(dependencies);
  const names = all.filter(([, value]) => Array.isArray(value));
  const schemas = all.filter(([, value]) => !Array.isArray(value));
  if (names.length > 0) schema["dependentRequired"] = Object.fromEntries(names);
  if (schemas.length > 0) schema["dependentSchemas"] = Object.fromEntries(schemas);
}

/** In draft 4, an exclusive limit was a flag of the limit. */
function modernizeLimit(schema: JsonObject, limit: string, exclusive: string): void {
  if (typeof schema[exclusive] !== "boolean") return;
  const value = schema[limit];
  const isExclusive = schema[exclusive];
  delete schema[exclusive];
  if (!isExclusive || value === undefined) return;
  schema[exclusive] = value;
  delete schema[limit];
}

/** In draft 3, `required` was a flag of a property. In OpenAPI 3.0, `nullable` is one. */
function modernizeType(schema: JsonObject): void {
  if (typeof schema["required"] === "boolean") delete schema["required"];
  const { nullable, type } = schema;
  if (nullable !== true || typeof type !== "string") return;
  delete schema["nullable"];
  schema["type"] = [type, "null"];
  if (Array.isArray(schema["enum"])) schema["enum"] = [...schema["enum"], null];
}

/** Agents would read these as well, though they describe no valid input. */
function deleteKeywordsForReaders(schema: JsonObject): void {
  for (const name of Object.keys(schema)) {
    if (name === "$comment" || name === "examples" || name === "example" || /^x-/i.test(name)) {
      delete schema[name];
    }
  }
}
