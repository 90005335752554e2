import { tool } from "@openai/agents";
import type { FunctionTool } from "@openai/agents";
import { selectTools } from "./select-tools.ts";
import type { ToolClient, ToolSelection } from "./select-tools.ts";

export type { ToolSelection } from "./select-tools.ts";

/**
 * Tools for the OpenAI Agents SDK, for `new Agent({ tools })`. Tools with effects that cannot be undone need approval. The model
 * reads why a run failed.
 */
export async function loadTools(
  client: ToolClient,
  selection: ToolSelection,
): Promise<FunctionTool[]> {
  const tools = await selectTools(client, selection);
  return tools.map(({ name, description, inputSchema, confirm }) =>
    tool({
      name,
      description,
      // The service validates inputs; strict schemas are a subset of JSON Schema.
      strict: false,
      parameters: toParameters(inputSchema),
      needsApproval: confirm,
      execute: (input, _, details) => client.run(name, input, { signal: details?.signal }),
      errorFunction: (_, error) => String(error),
    }),
  );
}

/** Fills in the keywords that the framework requires. */
function toParameters(schema: Record<string, unknown>) {
  return {
    ...schema,
    type: "object" as const,
    properties: (schema["properties"] ?? {}) as Record<string, object>,
    required: (schema["required"] ?? []) as string[],
    additionalProperties: true as const,
  };
}
