import { webhook as webhookShape, webhookDelivery } from "@toolhost/contract";
import type { Webhook, WebhookDelivery } from "@toolhost/contract";
import type { WebhookDeliveryTable } from "#db";
import { toTimestamp, toTimestampOrNull } from "#lib/clock";
import { attemptsOf } from "./retry-schedule.ts";
import type { WebhookRow } from "./webhook-store.ts";

const { events, disabledReason } = webhookShape.shape;
const { type, state } = webhookDelivery.shape;

export function presentWebhook(row: WebhookRow): Webhook {
  return {
    id: row.id,
    url: row.url,
    description: row.description,
    events: events.parse(JSON.parse(row.events)),
    tools: row.tools === null ? null : (JSON.parse(row.tools) as string[]),
    includeOutput: row.include_output === 1,
    enabled: row.enabled === 1,
    disabledReason: disabledReason.parse(row.disabled_reason),
    failingSince: toTimestampOrNull(row.failing_since),
    pending: row.pending,
    dead: row.dead,
    createdBy: row.created_by,
    createdAt: toTimestamp(row.created_at),
    updatedAt: toTimestamp(row.updated_at),
  };
}

/** Presents a delivery. `isShared`: all members of the workspace see its run. */
export function presentDelivery(row: WebhookDeliveryTable, isShared: boolean): WebhookDelivery {
  return {
    eventId: row.event_id,
    type: type.parse(row.type),
    runId: isShared ? row.run_id : null,
    toolName: isShared ? row.tool_name : null,
    state: state.parse(row.state),
    attempts: attemptsOf(row),
    status: row.status,
    problem: row.problem,
    createdAt: toTimestamp(row.created_at),
    attemptedAt: toTimestampOrNull(row.attempted_at),
    nextAttemptAt: row.state === "pending" ? toTimestamp(row.due_at) : null,
    finishedAt: toTimestampOrNull(row.finished_at),
  };
}
