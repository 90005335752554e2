import { z } from "zod";
import { credentialOwners } from "./credential.ts";
import { runErrorCodes } from "./errors.ts";
import { jsonObject } from "./tool.ts";

/** States of a run. `completed`, `failed` and `cancelled` are final. */
export const runStatuses = ["running", "completed", "failed", "cancelled"] as const;
export type RunStatus = (typeof runStatuses)[number];

/** Doors through which a run can be asked for. */
export const vias = ["rest", "mcp", "bot", "console", "schedule"] as const;
export type Via = (typeof vias)[number];

export const runError = z
  .object({ code: z.enum(runErrorCodes), message: z.string(), stack: z.string().optional() })
  .meta({ id: "RunError", description: "Why a run failed." });
export type RunError = z.infer<typeof runError>;

export const progress = z.object({ fraction: z.number(), message: z.string().optional() });
export type Progress = z.infer<typeof progress>;

/** Answer of `POST /run/:toolName`. */
export const runResult = z
  .object({
    runId: z.string(),
    status: z.enum(runStatuses),
    toolUrl: z.url(),
    output: jsonObject.optional(),
    error: runError.optional(),
    queued: z.boolean().optional(),
  })
  .meta({ id: "RunResult", description: "A run as far as it got within the wait." });
export type RunResult = z.infer<typeof runResult>;

/** What a run asked of one host. Bytes are those of bodies as they crossed the wire. */
const hostUsage = z
  .object({
    host: z.string(),
    /** Requests that were let out. */
    requests: z.int(),
    bytesSent: z.int(),
    bytesReceived: z.int(),
    refused: z.int(),
    /** Why the last refused one was. */
    reason: z.string().optional(),
  })
  .meta({ id: "HostUsage", description: "Requests that a run sent to one host." });

/** A credential that a run had. */
const usedCredential = z
  .object({
    name: z.string(),
    owner: z.enum(credentialOwners),
    exposed: z.boolean().meta({
      description: "The tool's code had the value itself; where it sent that is not known.",
    }),
    hosts: z
      .array(z.object({ host: z.string(), count: z.int() }))
      .meta({ description: "Where the value was put in, and how often." }),
  })
  .meta({ id: "UsedCredential", description: "A credential that a run had." });

/** Answer of `GET /runs/:runId`. */
export const run = runResult
  .extend({
    toolName: z.string(),
    toolVersion: z.int(),
    /** Above 1 when a node died and the run of an idempotent tool was taken again. */
    attempt: z.int(),
    createdAt: z.iso.datetime(),
    startedAt: z.iso.datetime().nullable(),
    finishedAt: z.iso.datetime().nullable(),
    durationMs: z.number().nullable(),
    progress: progress.nullable(),
    input: jsonObject,
    /** The run whose tool asked for this one with `ctx.tools.run`; null for all others. */
    parentRunId: z.string().nullable(),
    via: z.enum(vias),
    userId: z.string().meta({ description: "Whose run it is." }),
    draft: z.boolean().meta({
      description: "It ran a draft, so nobody but its author sees it.",
    }),
    draftId: z.string().nullable().meta({ description: "The draft that it ran." }),
    /** By host, at most 100 of them; empty until the run has ended. */
    egress: z.array(hostUsage),
    /** Empty until the run has ended. */
    credentials: z.array(usedCredential),
  })
  .meta({ id: "Run", description: "The record of a run." });
export type Run = z.infer<typeof run>;

/** A run in a list: a large input or output is left out and stands in the run's own record. */
export const runSummary = run
  .omit({ egress: true, credentials: true })
  .partial({ input: true })
  .meta({ id: "RunSummary", description: "A run in a list; a large input or output is left out." });
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
