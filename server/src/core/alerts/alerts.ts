import type {
  Alert,
  AlertEvent,
  AlertRecipients,
  CreateAlertInput,
  UpdateAlertInput,
} from "@toolhost/contract";
import { sql } from "kysely";
import { keepVisibleNames } from "#core/catalog";
import type { Caller } from "#core/kernel";
import { auditInsert, commitWrite, lostKey, mayDo, notFound, ServiceError } from "#core/kernel";
import { capSteps } from "#core/limits";
import type { AlertTable } from "#db";
import { isId, newId } from "#lib/ids";
import { cutPage } from "#lib/page";
import {
  deleteAlertRow,
  findAlerts,
  findRecipientIds,
  insertAlert,
  updateAlert,
} from "./alert-store.ts";
import type { AlertsContext } from "./context.ts";
import { findDeliveries, findEvents } from "./event-store.ts";
import { messages } from "./messages.ts";
import { notifySteps } from "./notify.ts";
import { presentAlert, presentEvent } from "./present-alert.ts";

/** The alerts of the workspace, oldest first. Throws `forbidden`. */
export async function listAlerts(context: AlertsContext, caller: Caller): Promise<Alert[]> {
  checkMayManage(caller);
  return (await findAlerts(context.db, caller)).map(presentAlert);
}

/** An alert of the workspace. Throws `forbidden`, `not_found`. */
export async function getAlert(context: AlertsContext, caller: Caller, id: string): Promise<Alert> {
  return presentAlert(await findManaged(context, caller, id));
}

/** Creates an alert, which is checked within seconds. Throws `forbidden`, `invalid_request`, `quota_exceeded`. */
export async function createAlert(
  context: AlertsContext,
  caller: Caller,
  input: CreateAlertInput,
): Promise<Alert> {
  checkMayManage(caller);
  await checkInput(context, caller, input);
  const { workspaceId } = caller;
  const now = context.clock.now();
  const row: AlertTable = {
    id: newId(),
    workspace_id: workspaceId,
    ...columnsOf(input),
    enabled: 1,
    ...unchecked(now),
    revision: 1,
    created_by: caller.userId,
    created_at: now,
    updated_at: now,
  };
  const created = presentAlert(row);
  const existing = sql`select 1 from alerts where workspace_id = ${workspaceId}`;
  const isCreated = await commitWrite(context, caller, created, [
    ...capSteps(context, "alerts", { subject: workspaceId, existing }),
    insertAlert(context.db, row),
    auditInsert(context, caller, {
      action: "alert.create",
      target: row.id,
      details: detailsOf(row),
    }),
  ]);
  if (!isCreated) throw lostKey();
  return created;
}

/** Changes an alert, which is checked as if it was new if its condition, tool or activation changes. Throws `forbidden`, `not_found`, `invalid_request`, `unavailable`. */
export async function changeAlert(
  context: AlertsContext,
  caller: Caller,
  id: string,
  input: UpdateAlertInput,
): Promise<Alert> {
  const row = await findManaged(context, caller, id);
  const before = presentAlert(row);
  const enabled = input.enabled ?? before.enabled;
  const wanted = {
    name: input.name ?? before.name,
    toolName: input.toolName === undefined ? before.toolName : input.toolName,
    condition: input.condition ?? before.condition,
    notify: input.notify ?? before.notify,
    quietHours: input.quietHours === undefined ? before.quietHours : input.quietHours,
  };
  await checkInput(context, caller, wanted, before);
  const now = context.clock.now();
  const columns = columnsOf(wanted);
  const isSame =
    enabled === before.enabled &&
    columns.condition === row.condition &&
    columns.tool_name === row.tool_name;
  const change = {
    ...columns,
    enabled: enabled ? 1 : 0,
    ...(isSame ? {} : unchecked(now)),
    ...(enabled ? {} : { next_check_at: null }),
    updated_at: now,
  };
  const changed = { ...row, ...change };
  const result = presentAlert(changed);
  const isChanged = await commitWrite(context, caller, result, [
    updateAlert(context.db, row, change),
    auditInsert(context, caller, {
      action: "alert.change",
      target: id,
      details: { ...detailsOf(changed), enabled },
    }),
  ]);
  if (!isChanged) throw changedMeanwhile();
  return result;
}

/** Deletes an alert. Throws `forbidden`, `not_found`. */
export async function deleteAlert(
  context: AlertsContext,
  caller: Caller,
  id: string,
): Promise<void> {
  const row = await findManaged(context, caller, id);
  const isDeleted = await commitWrite(context, caller, null, [
    deleteAlertRow(context.db, { ...caller, id }),
    auditInsert(context, caller, { action: "alert.delete", target: id, details: detailsOf(row) }),
  ]);
  if (!isDeleted) throw alertNotFound(id);
}

/** Sends a test notification to all recipients, without regard to quiet hours. Throws `forbidden`, `not_found`. */
export async function testAlert(context: AlertsContext, caller: Caller, id: string): Promise<void> {
  const row = await findManaged(context, caller, id);
  const isStored = await commitWrite(context, caller, null, [
    ...notifySteps(context, row, { type: "test", summary: messages.test }),
    auditInsert(context, caller, { action: "alert.test", target: id, details: detailsOf(row) }),
  ]);
  if (!isStored) throw lostKey();
  context.webhooks.worker.kick();
}

/** A page of the notifications of an alert, newest first. Throws `forbidden`, `not_found`. */
export async function listAlertEvents(
  context: AlertsContext,
  caller: Caller,
  id: string,
  page: { limit: number; after: string | undefined },
): Promise<{ events: AlertEvent[]; next: string | undefined }> {
  await findManaged(context, caller, id);
  const { workspaceId } = caller;
  const wanted = { ...page, limit: page.limit + 1 };
  const rows = await findEvents(context.db, { workspaceId, alertId: id }, wanted);
  const { shown, next } = cutPage(rows, page.limit, (row) => row.id);
  const ids = shown.map((row) => row.id);
  const byEvent = Map.groupBy(
    await findDeliveries(context.db, workspaceId, ids),
    ({ event_id: eventId }) => eventId,
  );
  return { events: shown.map((row) => presentEvent(row, byEvent.get(row.id) ?? [])), next };
}

async function findManaged({ db }: AlertsContext, caller: Caller, id: string): Promise<AlertTable> {
  checkMayManage(caller);
  const { workspaceId } = caller;
  const [row] = isId(id) ? await findAlerts(db, { workspaceId, id }) : [];
  if (row === undefined) throw alertNotFound(id);
  return row;
}

function alertNotFound(id: string): ServiceError {
  return notFound("not_found", "alert", { id });
}

function checkMayManage({ role }: Caller): void {
  if (mayDo(role, "alerts:manage")) return;
  throw new ServiceError(
    "forbidden",
    "Only owners and admins of the workspace can manage alerts. Ask one of them.",
  );
}

type Wanted = Omit<CreateAlertInput, "name"> & { name: string };

/**
 * The recipients must exist, and all members must see the tool: they read the notifications. What an alert has already is not checked
 * again, so that one whose tool was archived, or whose recipient has left, can still be changed.
 */
async function checkInput(
  { db }: AlertsContext,
  { workspaceId }: Caller,
  { toolName, condition, notify }: Wanted,
  before?: Pick<Alert, "toolName" | "notify">,
): Promise<void> {
  if (toolName !== null && condition.kind === "credential") {
    throw invalid("/toolName", "must be null for the condition credential");
  }
  if (toolName !== null && toolName !== before?.toolName) {
    const everyone = { workspaceId, userId: "" };
    if ((await keepVisibleNames(db, everyone, [toolName])).length === 0) {
      throw invalid("/toolName", "must be a tool that all members of the workspace can see");
    }
  }
  await checkRecipients(db, workspaceId, notify, before?.notify);
}

async function checkRecipients(
  db: AlertsContext["db"],
  workspaceId: string,
  notify: AlertRecipients,
  before: AlertRecipients = { userIds: [], webhookIds: [], chats: [] },
): Promise<void> {
  const { userIds, webhookIds, chatIds } = idsOf(notify);
  const had = idsOf(before);
  const known = await findRecipientIds(db, workspaceId, { userIds, webhookIds, chatIds });
  const isMissing = (ids: readonly string[], earlier: readonly string[]) =>
    ids.some((id) => !known.has(id) && !earlier.includes(id));
  if (isMissing(userIds, had.userIds))
    throw invalid("/notify/userIds", "must be members of the workspace");
  if (isMissing(webhookIds, had.webhookIds))
    throw invalid("/notify/webhookIds", "must be webhooks of the workspace");
  if (isMissing(chatIds, had.chatIds))
    throw invalid("/notify/chats", "must be chats of the workspace");
}

function idsOf({ userIds, webhookIds, chats }: AlertRecipients) {
  return { userIds, webhookIds, chatIds: chats.map(({ connectionId }) => connectionId) };
}

function invalid(path: string, message: string): ServiceError {
  return new ServiceError("invalid_request", `Invalid body: \`${path}\` ${message}.`, {
    errors: [{ path, message }],
  });
}

function columnsOf({ name, toolName, condition, notify, quietHours }: Wanted) {
  return {
    name,
    tool_name: toolName,
    condition: JSON.stringify(condition),
    notify: JSON.stringify({
      userIds: [...new Set(notify.userIds)],
      webhookIds: [...new Set(notify.webhookIds)],
      chats: notify.chats,
    }),
    quiet_hours: quietHours === null ? null : JSON.stringify(quietHours),
  };
}

/** The state of an alert before its first check. */
function unchecked(now: number) {
  return {
    state: "ok",
    state_since: now,
    subjects: "[]",
    summary: null,
    problem: null,
    checked_at: null,
    next_check_at: now,
  };
}

function detailsOf({ name, condition }: AlertTable) {
  const { kind } = JSON.parse(condition) as CreateAlertInput["condition"];
  return { name, condition: kind };
}

function changedMeanwhile(): ServiceError {
  return new ServiceError(
    "unavailable",
    "The alert was modified by another request or a check. Retry.",
    { retryAfterSeconds: 1 },
  );
}
