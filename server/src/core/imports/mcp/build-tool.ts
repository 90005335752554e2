import { createToolInput, toolLimits } from "@toolhost/contract";
import type { CreateToolInput, JsonObject, OutputSchema } from "@toolhost/contract";
import { describeInvisible, hasInvisible } from "#lib/invisible";
import { isJsonObject } from "#lib/json-object";
import { cleanLine, cleanText } from "#lib/clean-text";
import type { ToolSettings } from "./client/call-tool.ts";
import { readClientSource } from "./client-source.ts";
import type { BuildOptions, BuiltTool, McpServer, McpToolDefinition } from "./definition.ts";
import { fitInputSchema } from "./fit-input-schema.ts";
import { modernizeSchema } from "./modernize-schema.ts";
import { parameterHeadersOf } from "./parameter-headers.ts";
import { hostOf, lowerNames } from "./server-address.ts";

/** Longer calls hold a sandbox process for a server that may never answer. */
const timeoutMs = 300_000;
const maxOutputSchemaLength = 16_000;

/**
 * Turns a tool of a server into the definition of a tool that calls it. The definition is untrusted: texts of it become
 * visible text and JSON literals, never code. See `needsConfirmation` for hints.
 */
export async function buildTool(
  server: McpServer,
  definition: McpToolDefinition,
  options: BuildOptions,
): Promise<BuiltTool> {
  const host = hostOf(server.url);
  if (host === undefined) throw new TypeError("The URL is not the address of a server");
  const notes: string[] = [];
  const input = await fitInputSchema(definition.inputSchema, options.checkSchema);
  notes.push(...input.notes);
  const credentials = options.credentials ?? [];
  const tool: CreateToolInput = createToolInput.parse({
    title: titleOf(definition),
    description: descriptionOf(definition, host, notes),
    inputSchema: input.schema,
    outputSchema: outputSchemaOf(definition, notes),
    source: { language: "typescript", code: await codeOf(server, definition, options) },
    allowedHosts: [host],
    credentials: [...new Set(credentials.map(({ name }) => name))].map((name) => ({
      name,
      description: `Sent to the MCP server ${host}`,
      hosts: [host],
    })),
    timeoutMs,
    confirm: needsConfirmation(definition, notes),
  });
  const invisible = describeInvisible({
    inputSchema: tool.inputSchema,
    outputSchema: tool.outputSchema,
  });
  if (invisible !== undefined) {
    notes.push(`The tool contains invisible characters in ${invisible}. Read it with care.`);
  }
  return { tool, notes };
}

function titleOf({ name, title, annotations }: McpToolDefinition): string {
  const hint = isJsonObject(annotations) ? annotations["title"] : undefined;
  const candidates = [title, hint, name].filter((value) => typeof value === "string");
  const cleaned = candidates.map((text) => cleanLine(text, toolLimits.title));
  return cleaned.find((text) => text !== "") ?? "MCP tool";
}

function descriptionOf(definition: McpToolDefinition, host: string, notes: string[]): string {
  const { description } = definition;
  const text = typeof description === "string" ? description : "";
  if (hasInvisible(text.replaceAll("\r", ""))) {
    notes.push("Invisible characters were removed from the description. Read it with care.");
  }
  if (text.length > toolLimits.description) {
    notes.push(`The description was shortened to ${toolLimits.description} characters.`);
  }
  const fallback = `Calls the tool ${cleanLine(definition.name, 128)} of the MCP server ${host}.`;
  return cleanText(text, toolLimits.description) || fallback;
}

/**
 * Whether people confirm each run. By the specification's defaults, a tool without hints is destructive, and one that
 * only reads is not. The hints are part of the definition that a person approves.
 */
function needsConfirmation({ annotations }: McpToolDefinition, notes: string[]): boolean {
  const { readOnlyHint, destructiveHint } = isJsonObject(annotations) ? annotations : {};
  const isDestructive =
    destructiveHint === undefined ? readOnlyHint !== true : destructiveHint !== false;
  if (!isDestructive) {
    notes.push(
      "Runs need no confirmation, because the server states that the tool destroys nothing. If you do not trust the server, require a confirmation in the settings of the tool.",
    );
  }
  return isDestructive;
}

const outputFields: OutputSchema["properties"] = [
  { name: "text", type: "string", description: "Text of the result", optional: true },
  {
    name: "files",
    type: "array",
    description: "Images, audio and large resources",
    optional: true,
  },
  { name: "resources", type: "array", description: "Short text resources", optional: true },
  {
    name: "links",
    type: "array",
    description: "Resources that the result refers to",
    optional: true,
  },
];

/** The result's parts. Structured content is described, but not checked: servers deviate from their schemas. */
function outputSchemaOf({ outputSchema }: McpToolDefinition, notes: string[]): OutputSchema {
  if (!isJsonObject(outputSchema)) return { properties: outputFields };
  const schema = modernizeSchema(outputSchema);
  const isShort = JSON.stringify(schema).length <= maxOutputSchemaLength;
  if (!isShort) notes.push("The output schema is too long, so the result is not described.");
  const structured = {
    ...(isShort ? schema : {}),
    name: "structuredContent",
    type: "object" as const,
    description: "The structured result",
    optional: true,
  };
  return { properties: [structured, ...outputFields] };
}

async function codeOf(
  { url, transport, protocolVersion }: McpServer,
  { name, inputSchema, execution }: McpToolDefinition,
  { headers = {}, credentials = [] }: BuildOptions,
): Promise<string> {
  const settings: ToolSettings = {
    tool: name,
    url,
    transport,
    protocolVersion,
    headers: lowerNames(headers),
    credentials: credentials.map((one) => ({ ...one, header: one.header.toLowerCase() })),
    parameterHeaders: parameterHeadersOf(inputSchema),
    isTask:
      protocolVersion === "2025-11-25" &&
      isJsonObject(execution) &&
      execution["taskSupport"] === "required",
  };
  return `const settings: ToolSettings = ${literal(settings)};

export default (input: JsonObject, ctx: RunContext) => callTool(settings, input, ctx);

// From here on, the code is the same for all tools that were imported from MCP servers.

${await readClientSource()}
`;
}

/** JSON is JavaScript, except that it may contain invisible characters. */
function literal(value: ToolSettings | JsonObject): string {
  return JSON.stringify(value, undefined, 2).replaceAll(
    /[^\x20-\x7e\n]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
