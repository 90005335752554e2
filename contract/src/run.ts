import { z } from "zod";
import { credentialOwners } from "./credential.ts";
import { runErrorCodes } from "./errors.ts";
import { jsonObject } from "./json-object.ts";
import { question } from "./question.ts";

/** States of a run. `completed`, `failed` and `cancelled` are final. */
export const runStatuses = ["running", "completed", "failed", "cancelled"] as const;
export type RunStatus = (typeof runStatuses)[number];

/** Interfaces through which a run can be started. */
export const vias = ["rest", "mcp", "bot", "console", "schedule"] as const;
export type Via = (typeof vias)[number];

export const runError = z
  .object({ code: z.enum(runErrorCodes), message: z.string(), stack: z.string().optional() })
  .meta({ id: "RunError", description: "Why a run failed." });
export type RunError = z.infer<typeof runError>;

export const progress = z.object({ fraction: z.number(), message: z.string().optional() });
export type Progress = z.infer<typeof progress>;

/** Response of `POST /run/:toolName`. */
export const runResult = z
  .object({
    runId: z.string(),
    status: z.enum(runStatuses),
    toolUrl: z.url(),
    output: jsonObject.optional(),
    error: runError.optional(),
    queued: z.boolean().optional(),
    question: question.optional().meta({
      description:
        "What the tool asks the user who started the run, while it waits for the answer.",
    }),
  })
  .meta({
    id: "RunResult",
    description: "The state of a run when it ended or when the wait was over.",
  });
export type RunResult = z.infer<typeof runResult>;

/** A run's requests to one host. Bytes count bodies as transferred, before decompression. */
const hostUsage = z
  .object({
    host: z.string(),
    /** Requests that were allowed. */
    requests: z.int(),
    bytesSent: z.int(),
    bytesReceived: z.int(),
    /** Requests that were denied. */
    refused: z.int(),
    /** Why the last one was denied. */
    reason: z.string().optional(),
  })
  .meta({ id: "HostUsage", description: "Requests that a run sent to one host." });

/** A credential that was available to a run. */
const usedCredential = z
  .object({
    name: z.string(),
    owner: z.enum(credentialOwners),
    exposed: z.boolean().meta({
      description:
        "Whether the tool's code could read the value. Where it sent the value is not recorded.",
    }),
    hosts: z
      .array(z.object({ host: z.string(), count: z.int() }))
      .meta({ description: "Hosts that the value was sent to, and how often." }),
  })
  .meta({ id: "UsedCredential", description: "A credential that was available to a run." });

/** Response of `GET /runs/:runId`. */
export const run = runResult
  .extend({
    toolName: z.string(),
    toolVersion: z.int(),
    /** Above 1 if the run of an idempotent tool was restarted after its node died. */
    attempt: z.int(),
    createdAt: z.iso.datetime(),
    startedAt: z.iso.datetime().nullable(),
    finishedAt: z.iso.datetime().nullable(),
    durationMs: z.number().nullable(),
    progress: progress.nullable(),
    input: jsonObject,
    /** The run whose tool started this one with `ctx.tools.run`. Null for all other runs. */
    parentRunId: z.string().nullable(),
    via: z.enum(vias),
    userId: z.string().meta({ description: "The user who started the run." }),
    draft: z.boolean().meta({
      description: "Whether it is the run of a draft, which only its author can see.",
    }),
    draftId: z.string().nullable().meta({ description: "The draft that was run." }),
    batchId: z.string().nullable().meta({ description: "The batch that it was created with." }),
    feedback: z.enum(["good", "bad"]).nullable().meta({
      description: "How the user who started it rated its result in a chat.",
    }),
    /** Network usage by host, at most 100 entries. Empty until the run has ended. */
    egress: z.array(hostUsage),
    /** Empty until the run has ended. */
    credentials: z.array(usedCredential),
  })
  .meta({ id: "Run", description: "The record of a run." });
export type Run = z.infer<typeof run>;

/** A run in a list. A large input or output is omitted; `GET /runs/:runId` returns it. */
export const runSummary = run
  .omit({ egress: true, credentials: true })
  .partial({ input: true })
  .extend({
    title: z.string().nullable().meta({
      description: "The title of its tool or draft today. Null if you can no longer see it.",
    }),
  })
  .meta({ id: "RunSummary", description: "A run in a list. A large input or output is omitted." });
export type RunSummary = z.infer<typeof runSummary>;

/** One line of a run's log. */
export const logLine = z
  .object({
    at: z.iso.datetime(),
    level: z.enum(["debug", "info", "warn", "error"]),
    message: z.string(),
  })
  .meta({ id: "LogLine" });
export type LogLine = z.infer<typeof logLine>;
