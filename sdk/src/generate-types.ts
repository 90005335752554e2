import {
  docComment,
  inputTypes,
  literalType,
  outputType,
  propertyKey,
} from "@toolhost/tool-schema/types";
import type { Tool } from "./api.ts";
import { nameFunctions } from "./tool-names.ts";

/** What types are generated from: a tool of a list, a search, or the definition of one. */
export type TypedTool = Pick<
  Tool,
  "name" | "description" | "inputSchema" | "outputSchema" | "fileFields"
>;

/** Types that would be longer are replaced by ones that allow everything. */
const maxTypesLength = 300_000;

const fileNote = "A file ID, or a `Blob` to upload.";

/**
 * The TypeScript source of a module that exports `createTools(client)`: one typed function per tool. Texts and schemas of tools
 * may be hostile: they stay inside literals and comments, and their size is limited.
 */
export function generateTypes(tools: readonly TypedTool[]): string {
  const named = nameFunctions(tools.map(({ name }) => name));
  const all = tools
    .map((tool) => ({ tool, name: named.get(tool.name) ?? tool.name }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
  return `// Generated from the tools of a Toolhost service. Do not edit.
/* eslint-disable */
import { bindTools } from "@toolhost/client";
import type * as toolhost from "@toolhost/client";

${all.map(({ tool, name }) => declareNamespace(tool, name)).join("")}export type Tools = {
${all.map(({ tool, name }) => declareFunction(tool, name)).join("")}};

/** Returns the tools as functions that run them and return their output. */
export function createTools(client: Pick<toolhost.Client, "run">): Tools {
  return bindTools<Tools>(client, {
${all.map(({ tool, name }) => `    ${propertyKey(name)}: ${literalType(tool.name)},\n`).join("")}  });
}
`;
}

function declareNamespace(tool: TypedTool, name: string): string {
  const types = [
    inputTypes(tool.inputSchema, tool.fileFields, fileNote),
    outputType(tool.outputSchema),
  ].join("\n\n");
  const limited = types.length <= maxTypesLength ? types : anyTypes;
  const indented = limited.replaceAll(/^(?=.)/gm, "  ");
  return `export declare namespace ${namespaceOf(name)} {\n${indented}\n}\n\n`;
}

const anyTypes = `type Input = Record<string, unknown>;\n\ntype Output = Record<string, unknown>;`;

function declareFunction(tool: TypedTool, name: string): string {
  const namespace = namespaceOf(name);
  const fields = tool.fileFields.map((field) => literalType(field)).join(" | ");
  const input =
    fields === "" ? `${namespace}.Input` : `toolhost.WithFiles<${namespace}.Input, ${fields}>`;
  const { required } = tool.inputSchema;
  const isOptional = !Array.isArray(required) || required.length === 0;
  return `${docComment(tool.description, "  ")}  ${propertyKey(name)}(input${isOptional ? "?" : ""}: ${input}, options?: toolhost.RunOptions): Promise<${namespace}.Output>;
`;
}

/** Starts with a capital letter or an underscore. Functions have different names and start with neither, so it is unique. */
function namespaceOf(name: string): string {
  return /^[a-z]/.test(name) ? name.replace(/^./, (first) => first.toUpperCase()) : `_${name}`;
}
