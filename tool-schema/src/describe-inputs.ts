import { fromEntries, isObject, own } from "./json.ts";
import type { Json, JsonObject } from "./json.ts";

/** The names of the top-level inputs without a description, which agents read to fill them in. */
export function inputsWithoutDescription(schema: JsonObject): string[] {
  return inputsOf(schema).flatMap(([name, input]) =>
    isObject(input) && !isDescribed(input) ? [name] : [],
  );
}

/**
 * The schema with a type and a description for each top-level input, for agents. Missing ones are derived from the name and from
 * the allowed values; what cannot be derived stays as it is.
 */
export function describeInputs(schema: JsonObject): JsonObject {
  const inputs = inputsOf(schema);
  if (inputs.every(([, input]) => !isObject(input) || isComplete(input))) return schema;
  const properties = inputs.map(([name, input]): [string, Json] =>
    isObject(input) && !isComplete(input) ? [name, describe(name, input)] : [name, input],
  );
  return { ...schema, properties: fromEntries(properties) };
}

/** `readingTimeSeconds` as "Reading time seconds". */
export function humanize(name: string): string {
  const words = name
    .replaceAll(/([\p{Ll}\p{N}])(\p{Lu})/gu, "$1 $2")
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .split(/[\s_.-]+/u)
    .filter((word) => word !== "")
    // Abbreviations stay as they are.
    .map((word) => (/^\p{Lu}{2,}$/u.test(word) ? word : word.toLowerCase()));
  const text = words.join(" ");
  return text === "" ? name : text.slice(0, 1).toUpperCase() + text.slice(1);
}

function inputsOf(schema: JsonObject): [string, Json][] {
  const properties = own(schema, "properties");
  return isObject(properties) ? Object.entries(properties) : [];
}

function isDescribed(input: JsonObject): boolean {
  const description = own(input, "description");
  return typeof description === "string" && description.trim() !== "";
}

function isComplete(input: JsonObject): boolean {
  return isDescribed(input) && typeOf(input) === undefined;
}

function describe(name: string, input: JsonObject): JsonObject {
  const type = typeOf(input);
  const title = own(input, "title");
  const description = typeof title === "string" && title !== "" ? title : humanize(name);
  return {
    ...(type === undefined ? {} : { type }),
    ...input,
    ...(isDescribed(input) ? {} : { description }),
  };
}

/** The type of the values of an `enum` or `const`, if the schema does not name one. */
function typeOf(input: JsonObject): string | undefined {
  if (Object.hasOwn(input, "type")) return undefined;
  const values = own(input, "enum") ?? (Object.hasOwn(input, "const") ? [input["const"]] : []);
  if (!Array.isArray(values)) return undefined;
  const types = new Set(values.map((value) => (value === null ? "null" : typeof value)));
  const [type] = types;
  return types.size === 1 && type !== "object" ? type : undefined;
}
