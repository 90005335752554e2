import { z } from "zod";
import { toolNamePattern } from "./tool-name.ts";

const line = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, "must be a single line without control characters");

const failureRate = z
  .strictObject({
    kind: z.literal("failure_rate"),
    percent: z.int().min(0).max(99).meta({
      description: "Fires if more than this share of the runs failed.",
    }),
    windowMinutes: z.int().min(5).max(1_440).meta({
      description: "Runs that were created within this time count once they have ended.",
    }),
    minRuns: z.int().min(1).max(100_000).meta({
      description: "With fewer completed and failed runs, it does not fire.",
    }),
  })
  .meta({ id: "FailureRateCondition" });

const noSuccess = z
  .strictObject({
    kind: z.literal("no_success"),
    hours: z.int().min(1).max(720).meta({
      description: "Fires if no run that was created within this time has completed.",
    }),
  })
  .meta({ id: "NoSuccessCondition" });

const credentialEnds = z
  .strictObject({
    kind: z.literal("credential"),
    days: z.int().min(1).max(90).meta({
      description:
        "Fires if an API key of the workspace, or a shared connection that cannot be refreshed, expires within this time, or if a shared connection must be reconnected or fails to refresh.",
    }),
  })
  .meta({ id: "CredentialCondition" });

const condition = z
  .discriminatedUnion("kind", [failureRate, noSuccess, credentialEnds])
  .meta({ id: "AlertCondition", description: "When an alert fires." });
export type AlertCondition = z.infer<typeof condition>;

const id = z.string().max(64);
const notify = z
  .strictObject({
    userIds: z.array(id).max(20).default([]).meta({
      description: "Members who get an email.",
    }),
    webhookIds: z.array(id).max(20).default([]).meta({
      description: "Webhooks that get an event, whatever events they select.",
    }),
    chats: z
      .array(
        z.strictObject({
          connectionId: id,
          channel: z
            .string()
            // Those of Teams look like 19:…@thread.tacv2.
            .regex(/^(?:\w{1,64}|19:[\w.@-]{1,200})$/, "must be the ID of a channel, not its name")
            .meta({ description: "The platform's ID of a channel that the bot can post in." }),
        }),
      )
      .max(10)
      .default([]),
  })
  .refine(
    ({ userIds, webhookIds, chats }) => userIds.length + webhookIds.length + chats.length > 0,
    "must have at least one recipient",
  )
  .meta({ id: "AlertRecipients", description: "Who is notified." });
export type AlertRecipients = z.infer<typeof notify>;

const timeOfDay = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, "must be a time such as 22:00");
const quietHours = z
  .strictObject({
    timeZone: z
      .string()
      .max(64)
      .refine(isTimeZone, "must be a time zone such as Europe/Berlin")
      .meta({ description: "A name of the IANA time zone database." }),
    start: timeOfDay,
    end: timeOfDay,
  })
  .refine(({ start, end }) => start !== end, { path: ["end"], error: "must differ from start" })
  .meta({
    id: "QuietHours",
    description: "Notifications during these hours are sent when they end.",
  });
export type QuietHours = z.infer<typeof quietHours>;

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

const fields = {
  name: line(100),
  toolName: z
    .string()
    .regex(toolNamePattern, "must be the name of a tool")
    .nullable()
    .meta({ description: "The only tool whose runs count. Null for all tools." }),
  condition,
  notify,
  quietHours: quietHours.nullable(),
};

/** Body of `POST /alerts`. */
export const createAlertInput = z
  .strictObject({
    ...fields,
    toolName: fields.toolName.default(null),
    quietHours: fields.quietHours.default(null),
  })
  .meta({ id: "CreateAlertInput" });
export type CreateAlertInput = z.infer<typeof createAlertInput>;

/** Body of `PATCH /alerts/{id}`. */
export const updateAlertInput = z
  .strictObject({ ...fields, enabled: z.boolean() })
  .partial()
  .refine((patch) => Object.keys(patch).length > 0, "must contain at least one field to change")
  .meta({ id: "UpdateAlertInput" });
export type UpdateAlertInput = z.infer<typeof updateAlertInput>;

/** `resolved` is `ok` after it has fired. */
const alertStates = ["ok", "firing", "resolved"] as const;

/** An alert of a workspace. */
export const alert = z
  .object({
    id: z.string(),
    ...fields,
    toolName: z.string().nullable(),
    enabled: z.boolean(),
    state: z.enum(alertStates),
    stateSince: z.iso.datetime(),
    summary: z.string().nullable().meta({ description: "What the last check found." }),
    problem: z.string().nullable().meta({ description: "Why it cannot be checked." }),
    checkedAt: z.iso.datetime().nullable(),
    createdBy: z.string(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: "Alert", description: "A condition that is checked every minute." });
export type Alert = z.infer<typeof alert>;

const alertEventTypes = ["firing", "resolved", "test"] as const;

/** A notification of an alert, and its deliveries. */
export const alertEvent = z
  .object({
    id: z.string(),
    type: z.enum(alertEventTypes),
    summary: z.string(),
    createdAt: z.iso.datetime(),
    deliveries: z.array(
      z.object({
        channel: z.enum(["email", "chat", "webhook"]),
        target: z.string().meta({ description: "The ID of the user, channel or webhook." }),
        state: z.enum(["pending", "delivered", "dead"]),
        attempts: z.int(),
        problem: z.string().nullable().meta({ description: "Why the last attempt failed." }),
        dueAt: z.iso.datetime().nullable().meta({
          description:
            "When a pending delivery is attempted: before the first attempt, the end of the quiet hours, if it waits for it.",
        }),
        finishedAt: z.iso.datetime().nullable(),
      }),
    ),
  })
  .meta({ id: "AlertEvent", description: "A notification of an alert." });
export type AlertEvent = z.infer<typeof alertEvent>;
