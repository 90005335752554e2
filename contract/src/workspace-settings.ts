import { z } from "zod";

const days = z.int().min(1).max(36_500);

/** How long one kind of data is kept. */
const kept = z.object({
  server: z.int().nullable().meta({ description: "Days by the server's setting; null for ever." }),
  own: days.nullable().meta({ description: "Days by the workspace's own choice, if it has one." }),
  effective: z.int().nullable().meta({ description: "Days that count; null for ever." }),
});

const perWindow = z.int().nullable().meta({ description: "Null where there is no limit." });

/** Answer of `GET /workspaces/{id}/settings`: what the server allows, what is used, and what is kept how long. */
export const workspaceSettings = z
  .object({
    limits: z.object({
      runsAtOnce: z.int(),
      queuedRuns: z.int(),
      runMs: z.int(),
      cpuMs: z.int(),
      memoryMb: z.int(),
      outputBytes: z.int(),
      logBytes: z.int(),
      uploadBytes: z.int(),
      bodyBytes: z.int(),
      requestsPerMinute: perWindow,
      runsPerMinute: perWindow,
      userRequestsPerMinute: perWindow,
      userRunsPerMinute: perWindow,
      workspaceRequestsPerMinute: perWindow,
      workspaceRunsPerMinute: perWindow,
      userRunsPerDay: perWindow,
      workspaceRunsPerDay: perWindow,
    }),
    usage: z.object({
      runsToday: z
        .int()
        .meta({ description: "Since midnight UTC; counted up to 100000 and no further." }),
      runsAtWork: z.int(),
      runsWaiting: z.int(),
      tools: z.int(),
      members: z.int(),
      files: z.int(),
      fileBytes: z.int(),
    }),
    retention: z.object({
      runs: kept,
      logs: kept,
      files: z.object({ hours: z.int() }),
      audit: z.object({ server: z.int().nullable() }),
      drafts: z.object({ server: z.int().nullable() }),
    }),
    autoAcceptUpdates: z.boolean().meta({
      description:
        "Updates of installed tools are accepted without a person when they ask for nothing new and leave inputs, outputs and descriptions as they are.",
    }),
  })
  .meta({ id: "WorkspaceSettings" });
export type WorkspaceSettings = z.infer<typeof workspaceSettings>;

const ownDays = days
  .nullable()
  .optional()
  .meta({ description: "Days, fewer than the server's; null for the server's." });

/** Body of `PATCH /workspaces/{id}/settings`. */
export const updateWorkspaceSettingsInput = z
  .strictObject({
    retention: z.strictObject({ runsDays: ownDays, logsDays: ownDays }).optional(),
    autoAcceptUpdates: z.boolean().optional(),
  })
  .refine((patch) => Object.keys(patch).length > 0, "name at least one setting to change")
  .meta({ id: "UpdateWorkspaceSettingsInput" });
export type UpdateWorkspaceSettingsInput = z.infer<typeof updateWorkspaceSettingsInput>;
