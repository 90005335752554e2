import type { AlertEvent } from "@toolhost/contract";
import { ChatError, postToChannel } from "#core/chat";
import { idFloor } from "#lib/ids";
import { messageOf } from "#lib/message-of";
import type { AlertsContext } from "./context.ts";
import { deleteEventsBefore, findDueDeliveries, updateDelivery } from "./event-store.ts";
import type { DueDelivery } from "./event-store.ts";
import { messages } from "./messages.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
/** The pause after each failed attempt. After the last one the delivery is dead. */
const pausesMs = [10_000, minute, 5 * minute, 30 * minute, 2 * hour, 6 * hour, 12 * hour];
const atOnce = 20;
/** Longer than an attempt takes. If the node stops, another one attempts it again after this. */
const leaseMs = 90_000;
const maxProblem = 300;
const retainedDays = 90;
const deletedAtOnce = 200;

/** Sends the notifications that are due by email and to chats. Webhooks have a worker of their own. */
export async function deliverNotifications(context: AlertsContext): Promise<void> {
  const due = await findDueDeliveries(context.db, context.clock.now(), atOnce);
  await Promise.all(due.map((delivery) => attempt(context, delivery)));
}

async function attempt(context: AlertsContext, delivery: DueDelivery): Promise<void> {
  const { db, clock, log } = context;
  const claimed = { ...delivery, attempt: delivery.attempt + 1 };
  const claim = { attempt: claimed.attempt, due_at: clock.now() + leaseMs };
  if (!(await db.transact([updateDelivery(db, delivery, claim)]))) return;
  try {
    await send(context, claimed);
    const change = { state: "delivered", problem: null, finished_at: clock.now() };
    await db.transact([updateDelivery(db, claimed, change)]);
  } catch (error) {
    log.debug({ err: error, delivery: delivery.id }, "a notification could not be delivered");
    const now = clock.now();
    const pauseMs = isFinal(error) ? undefined : pausesMs[claimed.attempt - 1];
    const problem = describe(error).slice(0, maxProblem);
    const outcome =
      pauseMs === undefined ? { state: "dead", finished_at: now } : { due_at: now + pauseMs };
    await db.transact([updateDelivery(db, claimed, { ...outcome, problem })]);
  }
}

class FinalError extends Error {}

function isFinal(error: unknown): boolean {
  return error instanceof FinalError || (error instanceof ChatError && error.failure !== "later");
}

/** Explains the platform's errors that an admin can fix. */
function describe(error: unknown): string {
  const detail = messageOf(error);
  if (!(error instanceof ChatError)) return detail;
  if (error.kind === "gone") return messages.noChannel(detail);
  return error.kind === "missing_right" ? messages.missingRight(detail) : detail;
}

async function send(context: AlertsContext, delivery: DueDelivery): Promise<void> {
  const { id, channel, target, connection_id: connectionId, email, created_at: at } = delivery;
  const url = `${context.config.baseUrl}/alerts/${delivery.alert_id}`;
  const type = delivery.type as AlertEvent["type"];
  const { name, summary, workspaceName, toolTitle } = delivery;
  const notification = { type, name, summary, url, workspaceName, toolTitle, at };
  if (channel === "chat") {
    await postToChannel(context, {
      workspaceId: delivery.workspace_id,
      connectionId: connectionId ?? "",
      channel: target,
      blocks: messages.chat(notification),
      mark: id,
      isRetry: delivery.attempt > 1,
    });
    return;
  }
  if (email === null) throw new FinalError(messages.notAMember);
  await context.mailer.deliver(messages.email(email, notification), id);
  if (!context.mailer.isConfigured) throw new FinalError(messages.noMailServer);
}

/** Deletes notifications after 90 days. */
export async function deleteOldNotifications({ db, clock }: AlertsContext): Promise<void> {
  await deleteEventsBefore(db, idFloor(clock.now() - retainedDays * day), deletedAtOnce);
}
