import type { FormSchema, JsonObject } from "@toolhost/contract";
import { formSchema, questionLimits } from "@toolhost/contract";
import { asksForSecret, isSecretLabel } from "@toolhost/tool-schema/secrets";
import { ServiceError } from "#core/kernel";
import { cleanText } from "#lib/clean-text";
import { describeInvisible, withoutInvisible } from "#lib/invisible";
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
  const shown = cleanText(message, questionLimits.message);
  if (shown === "") throw invalid("The message must be a text.");
  throwIfSecret(data, shown);
  const cleaned = withoutInvisibleText(toJsonSchema(data)) as JsonObject;
  const places = describeInvisible(cleaned);
  if (places !== undefined) {
    throw invalid(`Names and choices contain invisible characters at ${places} of the schema.`);
  }
  return { message: shown, schema: cleaned };
}

/** MCP forbids forms that ask for secrets, which the run would keep and an agent could read. Choices and yes or no are none. */
function throwIfSecret({ properties }: FormSchema, message: string): void {
  const fields = Object.entries(properties).filter(
    ([, field]) =>
      field.type !== "boolean" &&
      field.type !== "array" &&
      !("enum" in field) &&
      !("oneOf" in field),
  );
  for (const [name, { type, title = "", description = "", default: text }] of fields) {
    const isSecret =
      [name, title].some((label) => isSecretLabel(label, type)) ||
      [title, description, String(text ?? "")].some(asksForSecret);
    if (isSecret) throw invalid(requestsSecret(`The field ${withoutInvisible(name)}`));
  }
  if (fields.length > 0 && asksForSecret(message)) throw invalid(requestsSecret("The message"));
}

function requestsSecret(what: string): string {
  return `${what} requests a secret, which questions must not. Declare a credential of the tool instead.`;
}

const shownTexts: ReadonlySet<string> = new Set(["title", "description"]);

/** The titles, descriptions and free defaults of a form as readers see them. */
function withoutInvisibleText({ properties, ...rest }: JsonObject): object {
  const fields = Object.entries(properties as JsonObject).map(([name, field]) => {
    const isChoice =
      isJsonObject(field) && ("enum" in field || "oneOf" in field || "items" in field);
    return [name, cleanShown(field, isChoice)] as const;
  });
  return { ...rest, properties: Object.fromEntries(fields) };
}

function cleanShown(value: unknown, isChoice: boolean): unknown {
  if (Array.isArray(value)) return value.map((each) => cleanShown(each, isChoice));
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([key, member]) => {
    const isShown = shownTexts.has(key) || (key === "default" && !isChoice);
    const isText = isShown && typeof member === "string";
    return [key, isText ? cleanText(member, member.length) : cleanShown(member, isChoice)] as const;
  });
  return Object.fromEntries(members);
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
