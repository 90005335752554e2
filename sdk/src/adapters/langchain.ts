import { DynamicStructuredTool } from "@langchain/core/tools";
import { selectTools } from "./select-tools.ts";
import type { ToolClient, ToolSelection } from "./select-tools.ts";

export type { ToolSelection } from "./select-tools.ts";

/**
 * Tools for LangChain, which return their output as JSON. LangChain has no approvals: `confirm` in the metadata of a tool says
 * whether it has effects that cannot be undone.
 */
export async function loadTools(
  client: ToolClient,
  selection: ToolSelection,
): Promise<DynamicStructuredTool[]> {
  const tools = await selectTools(client, selection);
  return tools.map(
    ({ name, description, inputSchema, confirm }) =>
      new DynamicStructuredTool({
        name,
        description,
        schema: inputSchema,
        metadata: { confirm },
        func: async (input, _, config) =>
          JSON.stringify(await client.run(name, input, { signal: config?.signal })),
      }),
  );
}
