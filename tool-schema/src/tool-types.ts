import { isObject, objectsAt, own, textAt } from "./json.ts";
import type { Json, JsonObject } from "./json.ts";
import { generateTypes } from "./generate-types.ts";
import * as messages from "./messages.ts";
import { toolContextText } from "./tool-context.ts";
import { docComment, propertyKey } from "./typescript-syntax.ts";

/** A tool's definition, which may be incomplete or invalid. */
export type TypedDefinition = {
  inputSchema?: unknown;
  outputSchema?: unknown;
  fileFields?: unknown;
  credentials?: unknown;
};

/**
 * Generates global declarations of `Input`, `Output` and `Context` for a tool, whose module is
 * `export default async (input: Input, ctx: Context): Promise<Output>`. Constraints beyond types are left to the server, and
 * types that cannot be derived are `unknown`. Accepts hostile and unfinished definitions; the size of the result is limited.
 */
export function toolTypes(definition: TypedDefinition): string {
  return [
    inputTypes(definition.inputSchema, definition.fileFields, messages.fileComment),
    outputType(definition.outputSchema, { isOfAuthor: true }),
    contextType(definition.credentials),
  ].join("\n\n");
}

/** Declares `Input` and the types that it refers to. `fileNote` is added to the documentation of file fields. */
export function inputTypes(schema: unknown, fileFields: unknown, fileNote: string): string {
  const root: JsonObject = isObject(schema) ? schema : { type: "object" };
  const names = Array.isArray(fileFields)
    ? fileFields.filter((name) => typeof name === "string")
    : [];
  return generateTypes(describeFiles(root, names, fileNote), "Input", messages.inputComment);
}

/** Adds a note to the descriptions of file fields. */
function describeFiles(root: JsonObject, names: readonly string[], note: string): JsonObject {
  const properties = own(root, "properties");
  if (!isObject(properties) || names.length === 0) return root;
  const described = Object.entries(properties).map(([name, schema]): [string, Json] => {
    if (!names.includes(name) || !isObject(schema)) return [name, schema];
    const description = textAt(schema, "description") ?? "";
    return [name, { ...schema, description: `${description}\n\n${note}`.trim() }];
  });
  return { ...root, properties: Object.fromEntries(described) };
}

const typesByName: Readonly<Record<string, string>> = {
  string: "string",
  number: "number",
  integer: "number",
  boolean: "boolean",
  object: "Record<string, unknown>",
  array: "unknown[]",
  null: "null",
};
/** The type of a declared output. What an object contains is left to its description. */
function outputTypeOf(declared: JsonObject): string {
  const type = textAt(declared, "type") ?? "";
  const items = own(declared, "items");
  const element = type === "array" && isObject(items) ? textAt(items, "type") : undefined;
  const elementType = typesByName[element ?? ""];
  return elementType === undefined ? (typesByName[type] ?? "unknown") : `${elementType}[]`;
}

const maxProperties = 500;

/** Declares `Output`. */
export function outputType(schema: unknown, { isOfAuthor = false } = {}): string {
  const properties = isObject(schema) ? objectsAt(schema, "properties") : [];
  const seen = new Set<string>();
  const members = properties.slice(0, maxProperties).flatMap((declared) => {
    const name = textAt(declared, "name");
    if (name === undefined || seen.has(name)) return [];
    seen.add(name);
    // A value with another type than a lenient one is no mistake of the code.
    const isAny = isOfAuthor && own(declared, "lenient") === true;
    const type = isAny ? "unknown" : outputTypeOf(declared);
    const isOptional = own(declared, "optional") === true;
    const doc = docComment(textAt(declared, "description"), "  ");
    return [`${doc}  ${propertyKey(name)}${isOptional ? "?" : ""}: ${type};`];
  });
  const rest = `${docComment(messages.undeclaredComment, "  ")}  [name: string]: unknown;`;
  return `${docComment(messages.outputComment, "")}type Output = {\n${[...members, rest].join("\n")}\n};`;
}

const maxCredentials = 100;
const untypedCredentials = "readonly credentials: Readonly<Record<string, string>>;";

function contextType(credentials: unknown): string {
  const declared = Array.isArray(credentials) ? credentials.filter(isObject) : [];
  const seen = new Set<string>();
  const members = declared.slice(0, maxCredentials).flatMap((credential) => {
    const name = textAt(credential, "name");
    if (name === undefined || seen.has(name)) return [];
    seen.add(name);
    const doc = docComment(textAt(credential, "description"), "    ");
    return [`${doc}    readonly ${propertyKey(name)}: string;`];
  });
  const typed = members.length === 0 ? "{}" : `{\n${members.join("\n")}\n  }`;
  const context = toolContextText.replace(
    untypedCredentials,
    () => `readonly credentials: ${typed};`,
  );
  return `${context}\n\n${docComment(messages.contextComment, "")}type Context = ToolContext;\n`;
}
