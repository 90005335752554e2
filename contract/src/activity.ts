import { z } from "zod";
import { runStatuses } from "./run.ts";

/** The most recent runs of one tool. */
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
      .meta({ description: "Newest first, at most eight. Excludes runs of drafts." }),
  })
  .meta({ id: "ToolActivity", description: "The most recent runs of one tool." });
export type ToolActivity = z.infer<typeof toolActivity>;
