import { isObject, objectsAt, own, textAt } from "./json.ts";
import type { Json, JsonObject } from "./json.ts";
import { typeComments } from "./messages.ts";
import { toolContextText } from "./tool-context.ts";
import { comment, property } from "./type-text.ts";
import { writeTypes } from "./write-types.ts";

/** What types are made of: a tool's definition, or what is written of one so far. */
export type TypedDefinition = {
  inputSchema?: unknown;
  outputSchema?: unknown;
  fileFields?: unknown;
  credentials?: unknown;
};

/**
 * Declarations of `Input`, `Output` and `Context` for the code of a tool, as global types: its module is
 * `export default async (input: Input, ctx: Context): Promise<Output>`. What a schema says beyond types is left to
 * the server; what cannot be told is `unknown`. Takes hostile and unfinished definitions, and its size is bounded.
 */
export function toolTypes(definition: TypedDefinition): string {
  return [
    inputTypes(definition.inputSchema, definition.fileFields),
    outputType(definition.outputSchema),
    contextType(definition.credentials),
  ].join("\n\n");
}

function inputTypes(schema: unknown, fileFields: unknown): string {
  const root: JsonObject = isObject(schema) ? schema : { type: "object" };
  const names = Array.isArray(fileFields)
    ? fileFields.filter((name) => typeof name === "string")
    : [];
  return writeTypes(withFiles(root, names), "Input", typeComments.input);
}

/** The schema with what file fields hold told in their descriptions. */
function withFiles(root: JsonObject, names: readonly string[]): JsonObject {
  const properties = own(root, "properties");
  if (!isObject(properties) || names.length === 0) return root;
  const told = Object.entries(properties).map(([name, schema]): [string, Json] => {
    if (!names.includes(name) || !isObject(schema)) return [name, schema];
    const said = textAt(schema, "description") ?? "";
    return [name, { ...schema, description: `${said}\n\n${typeComments.file}`.trim() }];
  });
  return { ...root, properties: Object.fromEntries(told) };
}

const outputTypes: Readonly<Record<string, string>> = {
  string: "string",
  number: "number",
  integer: "number",
  boolean: "boolean",
  object: "Record<string, unknown>",
  array: "unknown[]",
  null: "null",
};
const maxProperties = 500;

function outputType(schema: unknown): string {
  const properties = isObject(schema) ? objectsAt(schema, "properties") : [];
  const seen = new Set<string>();
  const members = properties.slice(0, maxProperties).flatMap((declared) => {
    const name = textAt(declared, "name");
    if (name === undefined || seen.has(name)) return [];
    seen.add(name);
    const type = outputTypes[textAt(declared, "type") ?? ""] ?? "unknown";
    const isOptional = own(declared, "optional") === true;
    const doc = comment(textAt(declared, "description"), "  ");
    return [`${doc}  ${property(name)}${isOptional ? "?" : ""}: ${type};`];
  });
  const rest = `${comment(typeComments.undeclared, "  ")}  [name: string]: unknown;`;
  const doc = comment(typeComments.output, "");
  return `${doc}type Output = {\n${[...members, rest].join("\n")}\n};`;
}

const maxCredentials = 100;
const anyCredentials = "readonly credentials: Readonly<Record<string, string>>;";

function contextType(credentials: unknown): string {
  const declared = Array.isArray(credentials) ? credentials.filter(isObject) : [];
  const seen = new Set<string>();
  const members = declared.slice(0, maxCredentials).flatMap((credential) => {
    const name = textAt(credential, "name");
    if (name === undefined || seen.has(name)) return [];
    seen.add(name);
    const doc = comment(textAt(credential, "description"), "    ");
    return [`${doc}    readonly ${property(name)}: string;`];
  });
  const typed = members.length === 0 ? "{}" : `{\n${members.join("\n")}\n  }`;
  const context = toolContextText.replace(anyCredentials, () => `readonly credentials: ${typed};`);
  return `${context}\n\n${comment(typeComments.context, "")}type Context = ToolContext;\n`;
}
