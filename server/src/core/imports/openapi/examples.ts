import { isObject, own } from "@toolhost/tool-schema/json";
import type { Json, JsonObject } from "@toolhost/tool-schema/json";
import type { OpenDocument } from "./open-document.ts";
import type { Field } from "./plan.ts";
import { isSecret } from "./schema-values.ts";

const maxLength = 4_000;
const maxOptional = 5;

/** The example of a parameter, media type or schema; undefined if there is none. */
export function exampleOf(
  document: OpenDocument,
  holder: JsonObject,
  schema: Json | undefined,
): Json | undefined {
  const given = own(holder, "example") ?? firstOf(document, own(holder, "examples"));
  return given ?? exampleOfSchema(document, schema);
}

/** The example that a schema has itself. */
export function exampleOfSchema(
  document: OpenDocument,
  schema: Json | undefined,
): Json | undefined {
  const target = document.follow(schema);
  if (!isObject(target)) return undefined;
  const list = own(target, "examples");
  return own(target, "example") ?? (Array.isArray(list) ? list[0] : undefined);
}

/** The first of an object of examples. */
function firstOf(document: OpenDocument, examples: Json | undefined): Json | undefined {
  if (Array.isArray(examples)) return examples[0];
  if (!isObject(examples)) return undefined;
  const [first] = Object.values(examples);
  const target = document.follow(first);
  return isObject(target) ? (own(target, "dataValue") ?? own(target, "value")) : undefined;
}

/**
 * An input made of the document's examples. Undefined unless there is one for each required field, none of which is a file
 * or a secret. Whether it matches the schema remains to be checked.
 */
export function exampleInput(
  document: OpenDocument,
  fields: readonly Field[],
): JsonObject | undefined {
  const usable = fields.filter(
    ({ place, schema, example }) =>
      example !== undefined &&
      place !== "file" &&
      place !== "files" &&
      !isSecret(document.follow(schema)),
  );
  if (usable.length === 0) return undefined;
  const names = new Set(usable.map(({ name }) => name));
  if (fields.some(({ name, isRequired }) => isRequired && !names.has(name))) return undefined;
  const optional = usable.filter((field) => !field.isRequired).slice(0, maxOptional);
  const chosen = [...usable.filter((field) => field.isRequired), ...optional];
  const input = Object.fromEntries(chosen.map(({ name, example }) => [name, example ?? null]));
  return JSON.stringify(input).length <= maxLength ? input : undefined;
}
