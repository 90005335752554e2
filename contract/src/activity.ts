import { z } from "zod";
import { runStatuses } from "./run.ts";

/** The latest runs of one tool. */
export const toolActivity = z
  .object({
    toolName: z.string(),
    runs: z
      .array(
        z.object({
          runId: z.string(),
          status: z.enum(runStatuses),
          startedAt: z.iso.datetime().nullable(),
          durationMs: z.number().nullable(),
        }),
      )
      .meta({ description: "Newest first, at most eight. Runs of drafts are not among them." }),
  })
  .meta({ id: "ToolActivity", description: "The latest runs of one tool." });
export type ToolActivity = z.infer<typeof toolActivity>;
