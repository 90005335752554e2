import { z } from "zod";
import { pageQuery } from "./query.ts";
import { toolNamePattern } from "./tool-name.ts";

/** The events that webhooks receive. */
export const webhookEvents = ["run.completed", "run.failed", "run.cancelled"] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

/** The events of alerts, which name the webhooks that receive them. */
export const alertWebhookEvents = ["alert.firing", "alert.resolved", "alert.test"] as const;

const webhookLimits = { url: 2_048, description: 200, tools: 100 } as const;

/** The type of an event of a run. */
export const webhookEvent = z.enum(webhookEvents).meta({ id: "WebhookEvent" });

const url = z
  .url({ protocol: /^https?$/ })
  .max(webhookLimits.url)
  .meta({ description: "The HTTPS URL that receives the events." });
const description = z
  .string()
  .trim()
  .max(webhookLimits.description)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, "must be a single line without control characters");
const events = z
  .array(webhookEvent)
  .min(1)
  .max(webhookEvents.length)
  .meta({ description: "The events that it receives." });
const tools = z
  .array(z.string().regex(toolNamePattern, "must be the name of a tool"))
  .min(1)
  .max(webhookLimits.tools)
  .nullable()
  .meta({ description: "The only tools whose runs are reported. Null for all tools." });
const includeOutput = z.boolean().meta({
  description: "Whether the payload contains the output of the run, if that has at most 16 KiB.",
});

/** A webhook, as lists show it. */
export const webhook = z
  .object({
    id: z.string(),
    url: z.string(),
    description: z.string(),
    events: z.array(webhookEvent),
    tools: z.array(z.string()).nullable(),
    includeOutput: z.boolean(),
    enabled: z.boolean(),
    disabledReason: z.enum(["gone", "failing"]).nullable().meta({
      description:
        "Why the service disabled it: `gone` (it responded with status 410) or `failing` (all attempts of three days failed). Null if a user disabled it.",
    }),
    failingSince: z.iso.datetime().nullable().meta({
      description:
        "When the first of the latest failed attempts was. Null if the last one succeeded, or if the failed event is no longer reported.",
    }),
    pending: z.int().meta({ description: "Pending deliveries. Counts only up to 100." }),
    dead: z.int().meta({ description: "Dead letters. Counts only up to 100." }),
    createdBy: z.string(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: "Webhook", description: "A URL that receives events of a workspace." });
export type Webhook = z.infer<typeof webhook>;

/** Body of `POST /webhooks`. */
export const createWebhookInput = z
  .strictObject({
    url,
    description: description.default(""),
    events: events.default([...webhookEvents]),
    tools: tools.default(null),
    includeOutput: includeOutput.default(false),
  })
  .meta({ id: "CreateWebhookInput" });
export type CreateWebhookInput = z.infer<typeof createWebhookInput>;

const secret = z.string().meta({
  description:
    "The secret that signs payloads, in the format of Standard Webhooks. Only shown here.",
});

/** Response of `POST /webhooks`. */
export const createdWebhook = webhook.extend({ secret }).meta({ id: "CreatedWebhook" });
export type CreatedWebhook = z.infer<typeof createdWebhook>;

/** Body of `PATCH /webhooks/{id}`. */
export const updateWebhookInput = z
  .strictObject({ url, description, events, tools, includeOutput, enabled: z.boolean() })
  .partial()
  .refine((patch) => Object.keys(patch).length > 0, "must contain at least one field to change")
  .meta({ id: "UpdateWebhookInput" });
export type UpdateWebhookInput = z.infer<typeof updateWebhookInput>;

/** Response of `POST /webhooks/{id}/rotate-secret`. */
export const rotatedWebhookSecret = z
  .object({
    secret,
    previousValidUntil: z.iso.datetime().meta({
      description: "Until then, payloads are also signed with the previous secret.",
    }),
  })
  .meta({ id: "RotatedWebhookSecret" });
export type RotatedWebhookSecret = z.infer<typeof rotatedWebhookSecret>;

const status = z
  .int()
  .nullable()
  .meta({ description: "The HTTP status of the response. Null if there was none." });
const problem = z
  .string()
  .nullable()
  .meta({ description: "Why the attempt failed. Null if it succeeded." });

/** Response of `POST /webhooks/{id}/test`. */
export const webhookTestResult = z
  .object({ delivered: z.boolean(), status, problem, durationMs: z.int() })
  .meta({ id: "WebhookTestResult" });
export type WebhookTestResult = z.infer<typeof webhookTestResult>;

/** `dead` is a dead letter: all attempts failed. */
const webhookDeliveryStates = ["pending", "delivered", "dead"] as const;

const hiddenRun =
  "Null if the run was deleted, or is no longer visible to all members, and for events of alerts.";

/** The delivery of one event to one webhook. */
export const webhookDelivery = z
  .object({
    eventId: z.string().meta({ description: "The `webhook-id` of all attempts." }),
    type: z.enum([...webhookEvents, ...alertWebhookEvents]),
    runId: z.string().nullable().meta({ description: hiddenRun }),
    toolName: z.string().nullable().meta({ description: hiddenRun }),
    state: z.enum(webhookDeliveryStates),
    attempts: z.int(),
    status,
    problem,
    createdAt: z.iso.datetime(),
    attemptedAt: z.iso.datetime().nullable(),
    nextAttemptAt: z.iso.datetime().nullable().meta({ description: "Null unless it is pending." }),
    finishedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: "WebhookDelivery" });
export type WebhookDelivery = z.infer<typeof webhookDelivery>;

/** Query of `GET /webhooks/{id}/deliveries`. */
export const listWebhookDeliveriesQuery = pageQuery.extend({
  state: z.enum(webhookDeliveryStates).optional(),
});
