import type {
  AlertCondition,
  AlertRecipients,
  AlertWebhookPayload,
  QuietHours,
} from "@toolhost/contract";
import type { AlertDeliveryTable, AlertTable, TransactionStep } from "#db";
import { toTimestamp } from "#lib/clock";
import { newId } from "#lib/ids";
import type { AlertsContext } from "./context.ts";
import { insertDeliveries, insertEvent, insertWebhookDeliveries } from "./event-store.ts";
import { sendAt } from "./quiet-hours.ts";

type Notification = { type: "firing" | "resolved" | "test"; summary: string };

/**
 * The steps that record a notification and its deliveries, in the transaction of the alert's change. Deliveries start after the
 * quiet hours, except those of a test.
 */
export function notifySteps(
  { config, db, clock }: AlertsContext,
  alert: AlertTable,
  { type, summary }: Notification,
): TransactionStep[] {
  const now = clock.now();
  const { id: alertId, workspace_id, name, tool_name: toolName } = alert;
  const { userIds, webhookIds, chats } = JSON.parse(alert.notify) as AlertRecipients;
  const quiet = alert.quiet_hours === null ? null : (JSON.parse(alert.quiet_hours) as QuietHours);
  const dueAt = type === "test" ? now : sendAt(now, quiet);
  const event = { id: newId(), workspace_id, alert_id: alertId, type, name, summary };
  const delivery = {
    workspace_id,
    event_id: event.id,
    state: "pending",
    attempt: 0,
    due_at: dueAt,
    problem: null,
    finished_at: null,
  };
  const deliveries: AlertDeliveryTable[] = [
    ...userIds.map((target) => {
      const channel = { channel: "email", target, connection_id: null };
      return { id: newId(), ...delivery, ...channel };
    }),
    ...chats.map(({ connectionId, channel: target }) => {
      const channel = { channel: "chat", target, connection_id: connectionId };
      return { id: newId(), ...delivery, ...channel };
    }),
  ];
  const payload: AlertWebhookPayload = {
    type: `alert.${type}`,
    timestamp: toTimestamp(now),
    data: {
      alertId,
      name,
      toolName,
      condition: (JSON.parse(alert.condition) as AlertCondition).kind,
      summary,
      alertUrl: `${config.baseUrl}/alerts/${alertId}`,
    },
  };
  return [
    insertEvent(db, { ...event, created_at: now }),
    ...insertDeliveries(db, deliveries),
    ...insertWebhookDeliveries(db, webhookIds, {
      ...event,
      created_at: now,
      payload: JSON.stringify(payload),
      dueAt,
    }),
  ];
}
