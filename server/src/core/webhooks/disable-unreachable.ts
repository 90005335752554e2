import { auditInsert } from "#core/kernel";
import type { WebhookTable } from "#db";
import { newId } from "#lib/ids";
import type { WebhooksContext } from "./context.ts";
import { messages } from "./messages.ts";
import { disableStep, findAdminEmails } from "./webhook-store.ts";
import { hostOf } from "./webhooks.ts";

const maxEmails = 20;

/** Disables a webhook, and notifies the admins of its workspace by email. */
export async function disableUnreachable(
  context: WebhooksContext,
  webhook: WebhookTable,
  reason: "gone" | "failing",
): Promise<void> {
  const { config, db, clock, log, mailer } = context;
  const { id, workspace_id: workspaceId } = webhook;
  const service = {
    workspaceId,
    actor: { userId: null },
    via: "system",
    requestId: newId(),
    ip: null,
  } as const;
  const host = hostOf(webhook);
  const change = { disabled_reason: reason, updated_at: clock.now() };
  const isDisabled = await db.transact([
    { query: disableStep(db, webhook, change), mustChange: true },
    auditInsert(context, service, {
      action: "webhook.disable",
      target: id,
      details: { host, reason },
    }),
  ]);
  if (!isDisabled) return;
  log.info({ webhook: id, reason }, "a webhook was disabled");
  for (const to of await findAdminEmails(db, workspaceId, maxEmails)) {
    mailer.send(messages.disabledEmail(to, `${config.baseUrl}/webhooks`, { host, reason }));
  }
}
