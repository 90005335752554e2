import type { JsonObject, ToolDetail } from "@toolhost/contract";
import type { ShownTool } from "@toolhost/ui";

/** A tool as its form and its results need it. Title and description are said by the page, so the description is left out. */
export function toFormTool(tool: ToolDetail): ShownTool {
  const { name, title, inputSchema, fileFields } = tool;
  const outputSchema = schemaOfOutput(tool);
  return { name, title, description: "", inputSchema, outputSchema, fileFields };
}

/** The order and words in which a tool's output is shown; nothing is known of a tool that is gone. */
export function schemaOfOutput(tool: Pick<ToolDetail, "outputSchema"> | undefined): JsonObject {
  return tool === undefined ? {} : (JSON.parse(JSON.stringify(tool.outputSchema)) as JsonObject);
}
