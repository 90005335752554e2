import { jsonSchema, tool } from "ai";
import type { ToolSet } from "ai";
import { selectTools } from "./select-tools.ts";
import type { ToolClient, ToolSelection } from "./select-tools.ts";

export type { ToolSelection } from "./select-tools.ts";

/**
 * Tools for the AI SDK, by name, for `generateText({ tools })`. Tools with effects that cannot be undone need approval. A failed
 * run rejects, which the AI SDK reports to the model.
 */
export async function loadTools(client: ToolClient, selection: ToolSelection): Promise<ToolSet> {
  const tools = await selectTools(client, selection);
  return Object.fromEntries(
    tools.map(({ name, title, description, inputSchema, confirm }) => [
      name,
      tool({
        title,
        description,
        inputSchema: jsonSchema(inputSchema),
        needsApproval: confirm,
        execute: (input: unknown, { abortSignal }) =>
          client.run(name, input, { signal: abortSignal }),
      }),
    ]),
  );
}
