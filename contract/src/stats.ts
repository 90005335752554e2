import { z } from "zod";
import { runError, vias } from "./run.ts";
import { toolNamePattern } from "./tool-name.ts";

/** The ranges of figures: whole hours or days up to the current one. */
const runStatsRanges = ["24h", "7d", "30d"] as const;
export type RunStatsRange = (typeof runStatsRanges)[number];

/** Query of `GET /run-stats`. */
export const runStatsQuery = z.object({
  range: z.enum(runStatsRanges).default("24h").meta({
    description: "The last 24 hours, 7 days or 30 days, in whole hours or days (UTC).",
  }),
  toolName: z
    .string()
    .regex(toolNamePattern, "must be the name of a tool")
    .optional()
    .meta({ description: "Only runs of this tool that you can see." }),
});

const durationNote = "Within 5 %, of runs that completed or failed. Null if there are none.";

const counts = {
  completed: z.int(),
  failed: z.int(),
  cancelled: z.int(),
  p50Ms: z
    .number()
    .nullable()
    .meta({ description: `The median duration. ${durationNote}` }),
  p95Ms: z
    .number()
    .nullable()
    .meta({
      description: `The duration that 95 % of the runs did not exceed. ${durationNote}`,
    }),
};

/** How many runs ended how, and how long they took. */
const runCounts = z.object(counts).meta({
  id: "RunCounts",
  description: "How many runs ended how, and how long they took.",
});
export type RunCounts = z.infer<typeof runCounts>;

const toolRunCounts = z
  .object({ toolName: z.string(), title: z.string().nullable(), ...counts })
  .meta({ id: "ToolRunCounts", description: "The figures of one tool." });

/** How often a user ran a tool with a client. */
const runUsage = z
  .object({
    userId: z.string(),
    client: z.enum([...vias, "key", "app"]).meta({
      description: "An API key, a connected app, or else the interface.",
    }),
    clientName: z.string().nullable().meta({
      description:
        "The name of the key or app. Null if it was deleted, or belongs to another user and you cannot list it.",
    }),
    toolName: z.string().nullable().meta({
      description: "Null for all tools that you cannot see.",
    }),
    title: z.string().nullable().meta({
      description: "The title of the tool; null if it was deleted, or you cannot see it.",
    }),
    runs: z.int(),
    failed: z.int(),
  })
  .meta({ id: "RunUsage", description: "How often a user ran a tool with a client." });
export type RunUsage = z.infer<typeof runUsage>;

/** Response of `GET /run-stats`. */
export const runStats = z
  .object({
    from: z.iso.datetime(),
    to: z.iso.datetime(),
    interval: z.enum(["hour", "day"]),
    completeSince: z.iso.datetime().nullable().meta({
      description:
        "Runs that were created earlier are still being counted, as after an upgrade. Null if all are counted.",
    }),
    totals: runCounts,
    series: z
      .array(z.object({ start: z.iso.datetime(), ...counts }))
      .meta({ description: "The figures of each hour or day, oldest first." }),
    failingTools: z
      .array(
        toolRunCounts.extend({
          lastFailure: z
            .object({
              runId: z.string(),
              at: z.iso.datetime(),
              error: runError.omit({ stack: true }),
            })
            .nullable()
            .meta({ description: "Null if its run was deleted." }),
        }),
      )
      .meta({ description: "The ten tools with the most failed runs." }),
    slowestTools: z
      .array(toolRunCounts)
      .meta({ description: "The ten tools with the highest `p95Ms`." }),
    usage: z
      .array(runUsage)
      .meta({ description: "The 50 combinations of user, client and tool with the most runs." }),
  })
  .meta({
    id: "RunStats",
    description: "Figures of runs, by the time at which they were created.",
  });
export type RunStats = z.infer<typeof runStats>;
