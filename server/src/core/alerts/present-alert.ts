import { alert as alertShape, alertEvent } from "@toolhost/contract";
import type {
  Alert,
  AlertCondition,
  AlertEvent,
  AlertRecipients,
  QuietHours,
} from "@toolhost/contract";
import type { AlertEventTable, AlertTable } from "#db";
import { toTimestamp, toTimestampOrNull } from "#lib/clock";
import type { ShownDelivery } from "./event-store.ts";

const { state } = alertShape.shape;
const { type, deliveries } = alertEvent.shape;
const delivery = deliveries.element.shape;

export function presentAlert(row: AlertTable): Alert {
  return {
    id: row.id,
    name: row.name,
    toolName: row.tool_name,
    condition: JSON.parse(row.condition) as AlertCondition,
    notify: JSON.parse(row.notify) as AlertRecipients,
    quietHours: row.quiet_hours === null ? null : (JSON.parse(row.quiet_hours) as QuietHours),
    enabled: row.enabled === 1,
    state: state.parse(row.state),
    stateSince: toTimestamp(row.state_since),
    summary: row.summary,
    problem: row.problem,
    checkedAt: toTimestampOrNull(row.checked_at),
    createdBy: row.created_by,
    createdAt: toTimestamp(row.created_at),
    updatedAt: toTimestamp(row.updated_at),
  };
}

export function presentEvent(row: AlertEventTable, sent: readonly ShownDelivery[]): AlertEvent {
  return {
    id: row.id,
    type: type.parse(row.type),
    summary: row.summary,
    createdAt: toTimestamp(row.created_at),
    deliveries: sent.map((one) => ({
      channel: delivery.channel.parse(one.channel),
      target: one.target,
      state: delivery.state.parse(one.state),
      attempts: one.attempts,
      problem: one.problem,
      dueAt: one.state === "pending" ? toTimestamp(one.due_at) : null,
      finishedAt: toTimestampOrNull(one.finished_at),
    })),
  };
}
