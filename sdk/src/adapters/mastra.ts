import { createTool } from "@mastra/core/tools";
import type { Tool } from "@mastra/core/tools";
import { selectTools } from "./select-tools.ts";
import type { ToolClient, ToolSelection } from "./select-tools.ts";

export type { ToolSelection } from "./select-tools.ts";

/** Tools for Mastra, by name, for `new Agent({ tools })`. Tools with effects that cannot be undone require approval. */
export async function loadTools(
  client: ToolClient,
  selection: ToolSelection,
): Promise<Record<string, Tool>> {
  const tools = await selectTools(client, selection);
  return Object.fromEntries(
    tools.map(({ name, description, inputSchema, confirm }) => [
      name,
      createTool({
        id: name,
        description,
        inputSchema,
        requireApproval: confirm,
        execute: (input, context) => client.run(name, input, { signal: context?.abortSignal }),
      }),
    ]),
  );
}
