import { z } from "zod";

/** Bounds of the length of an output for agents. */
export const agentOutputCharacters = { min: 1_000, max: 400_000 } as const;

const characters = z.int().min(agentOutputCharacters.min).max(agentOutputCharacters.max);

const days = z.int().min(1).max(36_500);

/** How long one kind of data is retained. */
const retentionPeriod = z.object({
  server: z
    .int()
    .nullable()
    .meta({ description: "The server's retention in days. Null means forever." }),
  own: days.nullable().meta({ description: "The workspace's own retention in days, if set." }),
  effective: z
    .int()
    .nullable()
    .meta({ description: "The effective retention in days. Null means forever." }),
});

const perWindow = z.int().nullable().meta({ description: "Null means no limit." });

/** Response of `GET /workspaces/{id}/settings`: limits, usage and data retention. */
export const workspaceSettings = z
  .object({
    limits: z.object({
      concurrentRuns: z.int(),
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
      userDrafts: z.int().nullable().meta({
        description: "Drafts of one user in all workspaces. Null means no limit.",
      }),
    }),
    usage: z.object({
      runsToday: z
        .int()
        .meta({ description: "Runs since midnight UTC. Counts only up to 100000." }),
      runningRuns: z.int(),
      queuedRuns: z.int(),
      tools: z.int(),
      members: z.int(),
      files: z.int(),
      fileBytes: z.int(),
      userDrafts: z.int().meta({ description: "Your drafts in all workspaces." }),
    }),
    retention: z.object({
      runs: retentionPeriod,
      logs: retentionPeriod,
      files: z.object({ hours: z.int() }),
      audit: z.object({ server: z.int().nullable() }),
      drafts: z.object({ server: z.int().nullable() }),
    }),
    agentOutputCharacters: z
      .object({
        server: z.int(),
        own: characters.nullable().meta({ description: "The workspace's own length, if set." }),
        effective: z.int(),
      })
      .meta({ description: "The length in characters above which agents get outputs shortened." }),
    autoAcceptUpdates: z.boolean().meta({
      description:
        "Whether updates of installed tools are accepted automatically if they request no additional access and do not change inputs, outputs or descriptions.",
    }),
    learnFromSearches: z.boolean().meta({
      description:
        "Whether searches for tools are stored for 90 days to improve later searches of this workspace, and to list what was not found. Setting it to false deletes them.",
    }),
  })
  .meta({ id: "WorkspaceSettings" });
export type WorkspaceSettings = z.infer<typeof workspaceSettings>;

const ownDays = days
  .nullable()
  .optional()
  .meta({ description: "Retention in days, below the server's. Null resets it to the server's." });

/** Body of `PATCH /workspaces/{id}/settings`. */
export const updateWorkspaceSettingsInput = z
  .strictObject({
    retention: z.strictObject({ runsDays: ownDays, logsDays: ownDays }).optional(),
    autoAcceptUpdates: z.boolean().optional(),
    agentOutputCharacters: characters.nullable().optional().meta({
      description: "Longer outputs are shortened for agents. Null resets it to the server's.",
    }),
    learnFromSearches: z.boolean().optional(),
  })
  .refine((patch) => Object.keys(patch).length > 0, "must contain at least one setting to change")
  .meta({ id: "UpdateWorkspaceSettingsInput" });
export type UpdateWorkspaceSettingsInput = z.infer<typeof updateWorkspaceSettingsInput>;
