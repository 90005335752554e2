import type { JsonObject, ToolDetail } from "@toolhost/contract";
import type { ShownTool } from "@toolhost/ui";

/** Converts a tool for its form and results. The page shows the description, so it is left out. */
export function toFormTool(tool: ToolDetail): ShownTool {
  const { name, title, inputSchema, fileFields } = tool;
  const outputSchema = schemaOfOutput(tool);
  return { name, title, description: "", inputSchema, outputSchema, fileFields };
}

/** The output schema, which defines the order and labels of results; empty for a tool that no longer exists. */
export function schemaOfOutput(tool: Pick<ToolDetail, "outputSchema"> | undefined): JsonObject {
  return tool === undefined ? {} : (JSON.parse(JSON.stringify(tool.outputSchema)) as JsonObject);
}
