import type { AuditAction } from "@toolhost/contract";
import type { Actor } from "#core/kernel";
import { auditEvent, noWorkspace } from "#core/kernel";
import type { Database } from "#db";
import { clientAddressHeader, requestIdHeader } from "./internal-headers.ts";

type AccountEvent = {
  actor: Actor & { userId: string };
  action: AuditAction;
  outcome?: string;
  details?: Readonly<Record<string, string | null>>;
};

/**
 * Records an action on an account, in the chain of accounts. The sign-in library writes in its own transaction, so the event
 * is written right after it.
 */
export async function recordAccountEvent(
  db: Database,
  headers: Headers | undefined,
  { actor, action, outcome, details }: AccountEvent,
): Promise<void> {
  const event = auditEvent(
    Date.now(),
    {
      workspaceId: noWorkspace,
      actor,
      via: "console",
      requestId: headers?.get(requestIdHeader) ?? null,
      ip: headers?.get(clientAddressHeader) ?? null,
    },
    {
      action,
      target: actor.userId,
      ...(outcome === undefined ? {} : { outcome }),
      details: details ?? {},
    },
  );
  await db.kysely.insertInto("audit_events").values(event).execute();
}

/** Whether the audit log contains a successful sign-in. */
export async function hasSignIns(db: Database): Promise<boolean> {
  const found = await db.kysely
    .selectFrom("audit_events")
    .select("id")
    .where("workspace_id", "=", noWorkspace)
    .where("action", "=", "account.sign_in")
    .where("outcome", "<>", "failure")
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}
