import type { FormSchema, JsonObject } from "@toolhost/contract";
import { formSchema, questionLimits } from "@toolhost/contract";
import { ServiceError } from "#core/kernel";
import { isJsonObject } from "#lib/json-object";
import { toPointer } from "#lib/pointer";

/** What a tool asks, with the schema in the form in which forms and validation use it. */
export type AskedQuestion = { message: string; schema: JsonObject };

/** Reads the question of a tool, which is untrusted. Throws `invalid_request`. */
export function readQuestion(value: unknown): AskedQuestion {
  const { message, schema } = isJsonObject(value) ? value : {};
  if (typeof message !== "string" || message.trim() === "") {
    throw invalid("The message must be a text.");
  }
  if (message.length > questionLimits.message) {
    throw invalid(`The message is longer than ${questionLimits.message} characters.`);
  }
  if (JSON.stringify(schema ?? null).length > questionLimits.schema) {
    throw invalid(`The schema is longer than ${questionLimits.schema} characters.`);
  }
  const { success, data, error } = formSchema.safeParse(schema);
  if (!success) {
    const [issue] = error.issues;
    const path = toPointer(["schema", ...(issue?.path ?? [])]);
    throw invalid(
      `${path} is not supported. The schema is an object whose fields are strings, numbers, booleans, or choices of strings.`,
    );
  }
  const names = Object.keys(data.properties);
  if (names.length > questionLimits.fields) {
    throw invalid(`The schema has more than ${questionLimits.fields} fields.`);
  }
  const missing = data.required?.find((name) => !Object.hasOwn(data.properties, name));
  if (missing !== undefined) throw invalid(`The schema requires ${missing}, which is no field.`);
  return { message, schema: toJsonSchema(data) };
}

/** The same form for everyone who shows it: titles of choices as JSON Schema, and each choice at most once. */
function toJsonSchema({ properties, required }: FormSchema): JsonObject {
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [name, toFieldSchema(field)]),
  );
  // Optional keywords that are absent have no key as JSON.
  return JSON.parse(JSON.stringify({ type: "object", properties: fields, required })) as JsonObject;
}

function toFieldSchema(field: FormSchema["properties"][string]) {
  if (field.type === "array") return { ...field, uniqueItems: true };
  if (!("enum" in field)) return field;
  const { enumNames, ...rest } = field;
  if (enumNames === undefined || rest.enum.length < 2) return rest;
  const { enum: values, ...others } = rest;
  return {
    ...others,
    oneOf: values.map((value, at) => ({ const: value, title: enumNames[at] ?? value })),
  };
}

function invalid(message: string): ServiceError {
  return new ServiceError("invalid_request", message);
}
