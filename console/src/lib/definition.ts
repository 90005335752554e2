import type { JsonObject, ToolDetail, ToolVersionDetail } from "@toolhost/contract";

const definitionFields = [
  "title",
  "description",
  "inputSchema",
  "outputSchema",
  "fileFields",
  "source",
  "credentials",
  "allowedHosts",
  "timeoutMs",
  "limits",
  "isolation",
  "idempotent",
  "confirm",
  "visibility",
  "examples",
] as const;

/** The values of settings that a definition leaves out. A definition without a visibility leaves the current one unchanged. */
export const definitionDefaults: JsonObject = {
  outputSchema: { properties: [] },
  fileFields: [],
  credentials: [],
  allowedHosts: [],
  timeoutMs: 900_000,
  limits: {},
  isolation: "reuse",
  idempotent: false,
  confirm: false,
  examples: [],
};

/** The definition of a tool as `POST /tools` and drafts take it. A version has no visibility. */
export function definitionOf(tool: ToolDetail | ToolVersionDetail): JsonObject {
  const all: JsonObject = JSON.parse(JSON.stringify(tool)) as JsonObject;
  const definition: JsonObject = {};
  for (const name of definitionFields) {
    const value = all[name];
    if (value !== undefined) definition[name] = value;
  }
  return definition;
}
