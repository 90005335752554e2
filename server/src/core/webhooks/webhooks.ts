import type {
  CreatedWebhook,
  CreateWebhookInput,
  RotatedWebhookSecret,
  UpdateWebhookInput,
  Webhook,
} from "@toolhost/contract";
import { sql } from "kysely";
import type { Caller } from "#core/kernel";
import { auditInsert, commitWrite, lostKey, mayDo, notFound, ServiceError } from "#core/kernel";
import { capSteps } from "#core/limits";
import type { WebhookTable } from "#db";
import { toTimestamp } from "#lib/clock";
import { isId, newId } from "#lib/ids";
import type { WebhooksContext } from "./context.ts";
import { presentWebhook } from "./present.ts";
import { createSecret, openSecrets, rotate, sealSecrets } from "./secret.ts";
import {
  deleteWebhookRow,
  findWebhooks,
  healthy,
  insertWebhook,
  updateWebhook,
} from "./webhook-store.ts";
import type { WebhookRow } from "./webhook-store.ts";

/** The webhooks of the workspace, oldest first. Throws `forbidden`. */
export async function listWebhooks(context: WebhooksContext, caller: Caller): Promise<Webhook[]> {
  checkMayManage(caller);
  return (await findWebhooks(context.db, caller)).map(presentWebhook);
}

/** A webhook of the workspace. Throws `forbidden`, `not_found`. */
export async function getWebhook(
  context: WebhooksContext,
  caller: Caller,
  id: string,
): Promise<Webhook> {
  return presentWebhook(await findManaged(context, caller, id));
}

/** Creates a webhook, and returns it with its secret. Throws `forbidden`, `invalid_request`, `quota_exceeded`. */
export async function createWebhook(
  context: WebhooksContext,
  caller: Caller,
  input: CreateWebhookInput,
): Promise<CreatedWebhook> {
  checkMayManage(caller);
  checkUrl(context, input.url);
  const { db, clock } = context;
  const { workspaceId } = caller;
  const id = newId();
  const secret = createSecret();
  const now = clock.now();
  const row: WebhookTable = {
    id,
    workspace_id: workspaceId,
    ...columnsOf(input),

    enabled: 1,
    disabled_reason: null,
    ...sealSecrets(context, id, { current: secret, previous: [] }),
    ...healthy,
    created_by: caller.userId,
    created_at: now,
    updated_at: now,
  };
  const created = { ...presentWebhook({ ...row, pending: 0, dead: 0 }), secret };
  const existing = sql`select 1 from webhooks where workspace_id = ${workspaceId}`;
  const isCreated = await commitWrite(context, caller, created, [
    ...capSteps(context, "webhooks", { subject: workspaceId, existing }),
    insertWebhook(db, row),
    auditInsert(context, caller, { action: "webhook.create", target: id, details: detailsOf(row) }),
  ]);
  if (!isCreated) throw lostKey();
  return created;
}

/** Changes a webhook. Enabling it also forgets its failures. Throws `forbidden`, `not_found`, `invalid_request`, `unavailable`. */
export async function changeWebhook(
  context: WebhooksContext,
  caller: Caller,
  id: string,
  input: UpdateWebhookInput,
): Promise<Webhook> {
  const row = await findManaged(context, caller, id);
  if (input.url !== undefined) checkUrl(context, input.url);
  const before = presentWebhook(row);
  const isEnabled = input.enabled ?? row.enabled === 1;
  const change = {
    ...columnsOf({
      url: input.url ?? before.url,
      description: input.description ?? before.description,
      events: input.events ?? before.events,
      tools: input.tools === undefined ? before.tools : input.tools,
      includeOutput: input.includeOutput ?? before.includeOutput,
    }),
    enabled: isEnabled ? 1 : 0,
    ...(input.enabled === undefined ? {} : { disabled_reason: null }),
    ...(input.enabled === true || input.url !== undefined ? healthy : {}),
    updated_at: nextVersion(context, row),
  };
  const changed = { ...row, ...change };
  const result = presentWebhook(changed);
  const isChanged = await commitWrite(context, caller, result, [
    { query: updateWebhook(context.db, row, change), mustChange: true },
    auditInsert(context, caller, {
      action: "webhook.change",
      target: id,
      details: { ...detailsOf(changed), enabled: isEnabled },
    }),
  ]);
  if (!isChanged) throw changedMeanwhile();
  context.webhooks.worker.kick();
  return result;
}

/** Deletes a webhook with its deliveries. Throws `forbidden`, `not_found`. */
export async function deleteWebhook(
  context: WebhooksContext,
  caller: Caller,
  id: string,
): Promise<void> {
  const row = await findManaged(context, caller, id);
  const isDeleted = await commitWrite(context, caller, null, [
    { query: deleteWebhookRow(context.db, { ...caller, id }), mustChange: true },
    auditInsert(context, caller, { action: "webhook.delete", target: id, details: detailsOf(row) }),
  ]);
  if (!isDeleted) throw webhookNotFound(id);
}

/** Replaces the secret, which is valid for another day. Throws `forbidden`, `not_found`, `unavailable`. */
export async function rotateSecret(
  context: WebhooksContext,
  caller: Caller,
  id: string,
): Promise<RotatedWebhookSecret> {
  const row = await findManaged(context, caller, id);
  const { secrets, until } = rotate(openSecrets(context, row), context.clock.now());
  const change = {
    ...sealSecrets(context, id, secrets),
    updated_at: nextVersion(context, row),
  };
  const previousValidUntil = toTimestamp(until);
  const rotated = { secret: secrets.current, previousValidUntil };
  const isRotated = await commitWrite(context, caller, rotated, [
    { query: updateWebhook(context.db, row, change), mustChange: true },
    auditInsert(context, caller, {
      action: "webhook.rotate_secret",
      target: id,
      details: { host: hostOf(row) },
    }),
  ]);
  if (!isRotated) throw changedMeanwhile();
  return rotated;
}

/** The row of a webhook that the caller may manage. Throws `forbidden`, `not_found`. */
export async function findManaged(
  { db }: WebhooksContext,
  caller: Caller,
  id: string,
): Promise<WebhookRow> {
  checkMayManage(caller);
  const { workspaceId } = caller;
  const [row] = isId(id) ? await findWebhooks(db, { workspaceId, id }) : [];
  if (row === undefined) throw webhookNotFound(id);
  return row;
}

function webhookNotFound(id: string): ServiceError {
  return notFound("not_found", "webhook", { id });
}

function checkMayManage({ role }: Caller): void {
  if (mayDo(role, "webhooks:manage")) return;
  throw new ServiceError(
    "forbidden",
    "Only owners and admins of the workspace can manage webhooks. Ask one of them.",
  );
}

/** Only the scheme and form: the addresses of the host are checked for each request, because they can change. */
function checkUrl({ outbound }: WebhooksContext, url: string): void {
  if (outbound.allowsScheme(url)) return;
  const message =
    "must be an HTTPS URL without a user name and password. The operator can allow HTTP for a host with EGRESS_PRIVATE_HOSTS";
  throw new ServiceError("invalid_request", `Invalid body: \`/url\` ${message}.`, {
    errors: [{ path: "/url", message }],
  });
}

/** Changes that follow within a millisecond must not be mistaken for one. */
function nextVersion({ clock }: WebhooksContext, { updated_at: last }: WebhookTable): number {
  return Math.max(clock.now(), last + 1);
}

type Definition = CreateWebhookInput;

function columnsOf({ url, description, events, tools, includeOutput }: Definition) {
  return {
    url,
    description,
    events: JSON.stringify([...new Set(events)]),
    tools: tools === null ? null : JSON.stringify([...new Set(tools)]),
    include_output: includeOutput ? 1 : 0,
  };
}

/** What the audit log and emails contain of a URL: its path and query are often a secret. */
export function hostOf({ url }: Pick<WebhookTable, "url">): string {
  return new URL(url).host;
}

function detailsOf(row: WebhookTable) {
  const { events, tools, include_output: withOutput } = row;
  return {
    host: hostOf(row),
    events: (JSON.parse(events) as string[]).join(" "),
    // Not their names: the audit log hides those of private tools, but must not hide this event.
    ...(tools === null ? {} : { tools: (JSON.parse(tools) as string[]).length }),
    ...(withOutput === 1 ? { includeOutput: true } : {}),
  };
}

function changedMeanwhile(): ServiceError {
  return new ServiceError(
    "unavailable",
    "The webhook was modified by another request. Reload it and retry.",
    { retryAfterSeconds: 1 },
  );
}
