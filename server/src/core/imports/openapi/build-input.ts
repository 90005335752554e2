import { isObject, textAt } from "@toolhost/tool-schema/json";
import type { Json, JsonObject } from "@toolhost/tool-schema/json";
import { breakCycles, depthOf } from "./break-cycles.ts";
import { createSchemaConverter, TooManySchemasError } from "./convert-schema.ts";
import type { Detail, Omissions } from "./convert-schema.ts";
import { inputLimits } from "./limits.ts";
import type { OpenDocument } from "./open-document.ts";
import type { Field } from "./plan.ts";
import { UnusableError } from "./references.ts";
import { toLine } from "./text.ts";

const maxDepth = 45;

/** Tried in turn until the schema is small enough. */
const details: readonly Detail[] = [
  { depth: 12, descriptionLength: 500, choicesLength: 8_000 },
  { depth: 12, descriptionLength: 150, choicesLength: 8_000 },
  { depth: 7, descriptionLength: 150, choicesLength: 4_000 },
  { depth: 5, descriptionLength: 120, choicesLength: 2_000 },
  { depth: 4, descriptionLength: 100, choicesLength: 2_000 },
  { depth: 3, descriptionLength: 80, choicesLength: 1_000 },
  { depth: 2, descriptionLength: 60, choicesLength: 500 },
  { depth: 1, descriptionLength: 40, choicesLength: 200 },
  { depth: 0, descriptionLength: 0, choicesLength: 100 },
];

export type BuiltInput = { schema: JsonObject; notes: string[] };

/** The input schema of a tool with these fields, in the greatest detail that fits into the limits of a tool. */
export function buildInput(document: OpenDocument, fields: readonly Field[]): BuiltInput {
  for (const detail of details) {
    const built = tryDetail(document, fields, detail);
    if (built === undefined) continue;
    const { schema, omissions } = built;
    const notes = [
      ...(detail === details[0] ? [] : [describeCut(omissions, detail)]),
      ...describeUnchecked(omissions),
    ];
    return { schema, notes };
  }
  return dropFields(document, fields);
}

/** Undefined if the result is too large. */
function tryDetail(document: OpenDocument, fields: readonly Field[], detail: Detail) {
  if (fields.length > inputLimits.properties) return undefined;
  try {
    const converter = createSchemaConverter(document, detail);
    const properties = fields.map(
      (field) =>
        [field.name, describeField(field, converter.convert(field.schema), detail)] as const,
    );
    const required = fields.filter((field) => field.isRequired).map(({ name }) => name);
    const definitions = converter.definitions();
    const schema: JsonObject = {
      type: "object",
      properties: Object.fromEntries(properties),
      ...(required.length === 0 ? {} : { required }),
      additionalProperties: false,
      ...(Object.keys(definitions).length === 0 ? {} : { $defs: definitions }),
    };
    const expansion = breakCycles(schema);
    const isTooLarge =
      JSON.stringify(schema).length > inputLimits.bytes ||
      Buffer.byteLength(JSON.stringify(schema)) > inputLimits.bytes ||
      expansion > inputLimits.expansion ||
      depthOf(schema) > maxDepth;
    return isTooLarge ? undefined : { schema, omissions: converter.omissions };
  } catch (error) {
    if (error instanceof TooManySchemasError) return undefined;
    throw error;
  }
}

/** The description of a parameter is beside its schema. */
function describeField(field: Field, converted: Json, { descriptionLength }: Detail): Json {
  const schema = isObject(converted) ? converted : {};
  const text = descriptionLength === 0 ? "" : toLine(field.description, descriptionLength);
  const description = text === "" ? textAt(schema, "description") : text;
  const { title } = field;
  return {
    ...(title === undefined ? {} : { title }),
    ...schema,
    ...(description === undefined ? {} : { description }),
  };
}

/** Leaves out optional fields from the end, until the rest fits. */
function dropFields(document: OpenDocument, fields: readonly Field[]): BuiltInput {
  const detail = { depth: 0, descriptionLength: 0, choicesLength: 100 };
  const required = fields.filter((field) => field.isRequired);
  const optional = fields.filter((field) => !field.isRequired);
  for (let count = optional.length; count >= 0; count = count === 0 ? -1 : Math.floor(count / 2)) {
    const built = tryDetail(document, [...required, ...optional.slice(0, count)], detail);
    if (built === undefined) continue;
    const dropped = optional.length - count;
    const note = `${dropped} optional fields were left out, because the input schema would be larger than 48 kB.`;
    return { schema: built.schema, notes: [note, ...describeUnchecked(built.omissions)] };
  }
  throw new UnusableError("It has more required fields than the input of a tool can have.");
}

const maxNamed = 5;

function describeCut({ cut }: Omissions, { depth }: Detail): string {
  const size =
    "Its full input schema is larger than a tool's may be (48 kB), so descriptions are shorter";
  if (cut.size === 0) return `${size}.`;
  const names = [...cut].slice(0, maxNamed).map((name) => `"${toLine(name, 60)}"`);
  const more = cut.size > maxNamed ? ` and ${cut.size - maxNamed} more` : "";
  return `${size}, and schemas below level ${depth} accept any value: ${names.join(", ")}${more}.`;
}

function describeUnchecked({ unchecked }: Omissions): string[] {
  if (unchecked.size === 0) return [];
  const names = [...unchecked].slice(0, maxNamed).map((name) => `"${toLine(name, 60)}"`);
  const more = unchecked.size > maxNamed ? ` and ${unchecked.size - maxNamed} more` : "";
  return [`The input schema leaves these to the API: ${names.join(", ")}${more}.`];
}
