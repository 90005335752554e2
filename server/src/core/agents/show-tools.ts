import type { JsonObject, Tool } from "@toolhost/contract";
import { describeInputs } from "@toolhost/tool-schema";
import type { Caller } from "#core/kernel";
import type { AgentsContext } from "./context.ts";
import { findCredentialStates } from "#core/vault";
import { estimateTokens } from "#lib/estimate-tokens";
import { isJsonObject } from "#lib/json-object";
import type { CredentialState } from "#core/vault";

type Shown = Pick<
  Tool,
  | "name"
  | "title"
  | "description"
  | "inputSchema"
  | "outputSchema"
  | "fileFields"
  | "confirm"
  | "credentials"
>;

/**
 * How much is shown: `whole` for documentation, `best` for the tool that is probably run next, `other` for alternatives
 * to it (outputs by name and type), `outline` for lists (inputs by name and type).
 */
export type Detail = "whole" | "best" | "other" | "outline";

/** Descriptions are cut after the last sentence that fits. */
const maxDescriptions: Record<Detail, number> = {
  whole: Infinity,
  best: 300,
  other: 200,
  outline: 120,
};
/** A longer outline has no fields, so that the names of fields cannot take up the answer. */
const maxOutlineTokens = 600;

/**
 * Presents what an agent needs to run a tool, with the status of its credentials for this caller, and without what says
 * nothing, since each word takes up the context of an agent.
 */
export async function createToolPresenter(
  context: AgentsContext,
  caller: Caller,
  tools: readonly Shown[],
): Promise<(tool: Shown, detail: Detail) => JsonObject> {
  const names = tools.flatMap(({ credentials }) => credentials.map(({ name }) => name));
  const states = await findCredentialStates(context, caller, [...new Set(names)]);
  return (tool, detail) => ({
    name: tool.name,
    title: tool.title,
    description: cutAtSentence(tool.description, maxDescriptions[detail]),
    ...inputsOf(tool, detail),
    ...outputsOf(tool, detail),
    ...(tool.confirm ? { annotations: { destructiveHint: true } } : {}),
    ...(tool.credentials.length === 0
      ? {}
      : {
          credentials: tool.credentials.map(({ name }) => ({
            name,
            status: stateOf(states, name),
          })),
        }),
  });
}

function inputsOf({ inputSchema, fileFields }: Shown, detail: Detail): JsonObject {
  if (detail !== "outline") {
    return { inputSchema: describeInputs(withoutDialect(inputSchema)), fileFields };
  }
  const short = { inputSchema: outline(inputSchema) as JsonObject, fileFields };
  const size = estimateTokens(JSON.stringify(short), maxOutlineTokens);
  return size <= maxOutlineTokens ? short : { inputSchema: { type: "object" }, fileFields: [] };
}

function outputsOf({ outputSchema }: Shown, detail: Detail): { outputSchema?: JsonObject } {
  const { properties } = outputSchema;
  if (detail === "outline" || properties.length === 0) return {};
  if (detail !== "other") return { outputSchema: outputSchema as JsonObject };
  const outputs = properties.map(({ name, type }) => ({ name, type }));
  return { outputSchema: { properties: outputs } };
}

/** All schemas are JSON Schema 2020-12. */
function withoutDialect(schema: JsonObject): JsonObject {
  const { $schema: _, ...rest } = schema;
  return rest;
}

/** The keywords of an outline, and how their values are outlined. */
const outlined: Readonly<Record<string, (value: unknown) => unknown>> = {
  type: (value) => value,
  properties: (value) => (isJsonObject(value) ? mapFields(value, outline) : value),
  required: (value) => value,
  enum: (value) => value,
  items: outline,
  anyOf: outline,
  oneOf: outline,
  allOf: outline,
};

/** The names and types of the fields of a schema, or of each schema in a list. */
function outline(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(outline);
  if (!isJsonObject(schema)) return schema;
  const entries = Object.entries(outlined).flatMap(([keyword, map]) =>
    schema[keyword] === undefined ? [] : [[keyword, map(schema[keyword])]],
  );
  return Object.fromEntries(entries);
}

function mapFields(object: JsonObject, map: (value: unknown) => unknown): object {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value)]));
}

/** Cuts a text after the last sentence that fits, or else after the last word. */
export function cutAtSentence(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  const start = text.slice(0, maxCharacters);
  const sentences = /^.*[.!?。](?=\s|$)/su.exec(start)?.[0];
  if (sentences !== undefined) return sentences;
  return `${start.replace(/\s+\S*$/u, "").slice(0, maxCharacters - 1)}…`;
}

type States = Awaited<ReturnType<typeof findCredentialStates>>;

function stateOf(states: States, name: string): CredentialState {
  return states.get(name)?.state ?? "missing";
}
