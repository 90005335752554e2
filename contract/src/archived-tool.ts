import { z } from "zod";
import { tool } from "./tool.ts";

/** A tool that was archived and whose code is still stored. */
export const archivedTool = z
  .object({
    name: z.string(),
    title: z.string(),
    visibility: tool.shape.visibility,
    bytes: z.int().meta({
      description: "Of all its stored versions. They count towards `WORKSPACE_MAX_TOOL_BYTES`.",
    }),
    createdAt: z.iso.datetime(),
    archivedAt: z.iso.datetime(),
  })
  .meta({ id: "ArchivedTool" });
export type ArchivedTool = z.infer<typeof archivedTool>;
