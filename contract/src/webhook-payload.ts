import { z } from "zod";
import { runErrorCodes } from "./errors.ts";
import { runStatuses, vias } from "./run.ts";
import { jsonObject } from "./json-object.ts";
import { alertWebhookEvents, webhookEvent } from "./webhook.ts";

const time = z.iso.datetime();

/** The payload of the event of a run. */
const runWebhookPayload = z
  .object({
    type: webhookEvent,
    timestamp: time.meta({ description: "When the run ended." }),
    data: z.object({
      runId: z.string(),
      parentRunId: z.string().nullable(),
      toolName: z.string(),
      toolVersion: z.int(),
      status: z.enum(runStatuses).exclude(["running"]),
      errorCode: z.enum(runErrorCodes).nullable(),
      createdAt: time,
      startedAt: time.nullable(),
      finishedAt: time.nullable(),
      durationMs: z.number().nullable(),
      via: z.enum(vias),
      runUrl: z.string(),
      output: jsonObject.nullable().optional().meta({
        description: "Only if the webhook includes outputs. Null if the run has none.",
      }),
      outputOmitted: z.literal(true).optional().meta({
        description: "The webhook includes outputs, but this one has more than 16 KiB.",
      }),
    }),
  })
  .meta({ id: "RunWebhookPayload", description: "Reports the end of a run." });
export type RunWebhookPayload = z.infer<typeof runWebhookPayload>;

/** The payload of a test event. */
const testWebhookPayload = z
  .object({
    type: z.literal("webhook.test"),
    timestamp: time,
    data: z.object({ webhookId: z.string() }),
  })
  .meta({ id: "TestWebhookPayload", description: "A test event, which a user has sent." });
export type TestWebhookPayload = z.infer<typeof testWebhookPayload>;

/** The payload of the event of an alert. */
const alertWebhookPayload = z
  .object({
    type: z.enum(alertWebhookEvents),
    timestamp: time.meta({ description: "When the alert fired or was resolved." }),
    data: z.object({
      alertId: z.string(),
      name: z.string(),
      toolName: z.string().nullable(),
      condition: z.enum(["failure_rate", "no_success", "credential"]),
      summary: z.string(),
      alertUrl: z.string(),
    }),
  })
  .meta({ id: "AlertWebhookPayload", description: "Reports that an alert fires or is resolved." });
export type AlertWebhookPayload = z.infer<typeof alertWebhookPayload>;

/** What webhooks receive. */
export const webhookPayload = z
  .discriminatedUnion("type", [runWebhookPayload, testWebhookPayload, alertWebhookPayload])
  .meta({ id: "WebhookPayload", description: "The body of a request to a webhook." });
