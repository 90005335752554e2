import { z } from "zod";
import { jsonObject } from "./json-object.ts";

/** The number of runs that a batch can have. */
const maxBatchRuns = 1_000;

/** Body of `POST /run-batches`. */
export const createRunBatchInput = z
  .strictObject({
    toolName: z.string().max(64),
    inputs: z
      .unknown()
      // Counted first, because validating each of very many takes long.
      .refine((value) => !Array.isArray(value) || value.length <= maxBatchRuns, {
        message: `must have at most ${maxBatchRuns} inputs`,
        abort: true,
      })
      .pipe(z.array(jsonObject).min(1))
      .meta({
        type: "array",
        items: { type: "object", additionalProperties: true },
        minItems: 1,
        maxItems: maxBatchRuns,
        description: "The input of each run. All must match the tool's inputSchema.",
      }),
  })
  .meta({ id: "CreateRunBatchInput", description: "A tool and the inputs of its runs." });
export type CreateRunBatchInput = z.infer<typeof createRunBatchInput>;

/** Response of the routes on batches. */
export const runBatch = z
  .object({
    batchId: z.string(),
    toolName: z.string(),
    status: z.enum(["running", "completed", "cancelled"]).meta({
      description:
        "`completed` when all runs have ended, and `cancelled` when they have ended after the batch was cancelled. Runs may have failed in either case.",
    }),
    total: z.int().meta({ description: "The number of runs." }),
    counts: z
      .object({
        queued: z.int(),
        running: z.int(),
        completed: z.int(),
        failed: z.int(),
        cancelled: z.int(),
      })
      .meta({
        description:
          "Runs by state. Their sum is below `total` when old runs are deleted after their retention.",
      }),
    createdAt: z.iso.datetime(),
    userId: z.string().meta({ description: "The user who created the batch." }),
  })
  .meta({ id: "RunBatch", description: "Runs of one tool that were created together." });
export type RunBatch = z.infer<typeof runBatch>;
