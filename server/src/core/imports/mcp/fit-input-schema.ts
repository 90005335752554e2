import type { JsonObject } from "@toolhost/contract";
import { walkSchemas } from "#core/validation";
import { isJsonObject } from "#lib/json-object";
import { cleanText } from "#lib/clean-text";
import type { BuildOptions } from "./definition.ts";
import { modernizeSchema } from "./modernize-schema.ts";

/** Agents read the schema of each tool that they use. */
const maxLength = 48_000;
const maxShortTextLength = 200;
const maxEnumValues = 50;
const plainTypes: ReadonlySet<unknown> = new Set([
  "string",
  "number",
  "integer",
  "boolean",
  "object",
  "array",
  "null",
]);

type Fitted = { schema: JsonObject; notes: string[] };

/**
 * An input schema that a tool can be saved with. What does not fit is left out, never replaced: the server checks the
 * input itself, so a looser schema only means that it reports the error.
 */
export async function fitInputSchema(
  original: JsonObject,
  checkSchema: BuildOptions["checkSchema"],
): Promise<Fitted> {
  const isAcceptable = async (schema: JsonObject) =>
    sizeOf(schema) <= maxLength && (await checkSchema(schema)).length === 0;
  const schema: JsonObject = { ...modernizeSchema(original), type: "object" };
  if (await isAcceptable(schema)) return { schema, notes: [] };
  if (sizeOf(schema) > maxLength) {
    const short = withShortTexts(schema);
    const note = `Descriptions in the input schema were shortened to ${maxShortTextLength} characters.`;
    if (await isAcceptable(short)) return { schema: short, notes: [note] };
  }
  const simple = simplify(schema);
  const note =
    "The input schema was simplified, because it cannot be saved as it is: only its first level is described. The server still checks the complete input.";
  if (await isAcceptable(simple)) return { schema: simple, notes: [note] };
  return {
    schema: { type: "object" },
    notes: [
      "The input schema cannot be saved. The tool accepts any object, and the server checks it.",
    ],
  };
}

function sizeOf(schema: JsonObject): number {
  return JSON.stringify(schema).length;
}

function withShortTexts(schema: JsonObject): JsonObject {
  const copy = JSON.parse(JSON.stringify(schema)) as JsonObject;
  for (const { schema: part } of walkSchemas(copy)) {
    delete part["title"];
    const { description } = part;
    if (typeof description === "string") {
      part["description"] = cleanText(description, maxShortTextLength);
    }
  }
  return copy;
}

/** Only the names of the properties, with what is plain about each. */
function simplify({ properties, required }: JsonObject): JsonObject {
  if (!isJsonObject(properties)) return { type: "object" };
  const simple = Object.entries(properties).map(([name, property]): [string, JsonObject] => [
    name,
    isJsonObject(property) ? simplifyProperty(property) : {},
  ]);
  const names = Array.isArray(required)
    ? required.filter((name) => typeof name === "string" && Object.hasOwn(properties, name))
    : [];
  return {
    type: "object",
    properties: Object.fromEntries(simple),
    ...(names.length > 0 && { required: [...new Set(names)] }),
  };
}

function simplifyProperty({ type, description, enum: values }: JsonObject): JsonObject {
  const isPlain = plainTypes.has(type);
  const isShort = Array.isArray(values) && values.length > 0 && values.length <= maxEnumValues;
  const hasPlainValues = isShort && values.every((value) => typeof value !== "object");
  return {
    ...(isPlain && type !== undefined && { type }),
    ...(typeof description === "string" && {
      description: cleanText(description, maxShortTextLength),
    }),
    ...(hasPlainValues && { enum: [...new Set(values)] }),
  };
}
