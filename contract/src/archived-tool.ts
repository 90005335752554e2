import { z } from "zod";
import { publishedFrom } from "./published-from.ts";
import { tool } from "./tool.ts";

/** An archived tool whose code is still stored. */
export const archivedTool = z
  .object({
    name: z.string(),
    title: z.string(),
    visibility: tool.shape.visibility,
    bytes: z.int().meta({
      description:
        "Total size of all stored versions, which counts towards `WORKSPACE_MAX_TOOL_BYTES`.",
    }),
    createdAt: z.iso.datetime(),
    archivedAt: z.iso.datetime(),
    mine: tool.shape.mine,
    publishedFrom: publishedFrom.optional(),
  })
  .meta({ id: "ArchivedTool" });
export type ArchivedTool = z.infer<typeof archivedTool>;
