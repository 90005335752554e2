import { sql } from "kysely";
import type { CompiledQuery, RawBuilder } from "kysely";
import type { Via, AuditAction } from "@toolhost/contract";
import type { Actor } from "../caller.ts";
import type { BaseContext } from "../context.ts";
import type { AuditEventTable } from "#db";
import { newId } from "#lib/ids";

type What = {
  action: AuditAction;
  /** ID or name of the object. */
  target: string;
  /** Defaults to `success`. */
  outcome?: string;
  details?: Readonly<Record<string, string | number | boolean | null>>;
};

type Who = {
  workspaceId: string;
  actor: Actor;
  via: Via | "system";
  requestId: string | null;
  ip: string | null;
};

/** What the service does by itself, in any workspace. */
export const byService = {
  actor: { userId: null },
  via: "system",
  requestId: null,
  ip: null,
} as const;

/** Builds an event of a caller or of the service itself, without writing it. */
export function auditEvent(at: number, who: Who, what: What): AuditEventTable {
  return {
    id: newId(),
    workspace_id: who.workspaceId,
    at,
    actor: JSON.stringify(who.actor),
    user_id: who.actor.userId,
    via: who.via,
    action: what.action,
    target: what.target,
    outcome: what.outcome ?? "success",
    request_id: who.requestId,
    ip: who.ip,
    details: JSON.stringify(what.details ?? {}),
    private_to: null,
    sequence: null,
    hash: null,
  };
}

/**
 * The step that writes an event, in the transaction of the change and after its steps, because the new visibility
 * decides who may see the event.
 */
export function auditInsert(
  context: Pick<BaseContext, "db" | "clock">,
  caller: Who,
  what: What,
): CompiledQuery {
  const row = auditEvent(context.clock.now(), caller, what);
  const private_to = privateOwner(caller, what);
  return context.db.kysely
    .insertInto("audit_events")
    .values({ ...row, private_to })
    .compile();
}

/** The owner of the draft, private tool, private run, bridge or import of a bridge that an event is about. Null for all other events. */
function privateOwner(
  { workspaceId, actor }: Who,
  { action, target, details = {} }: What,
): string | null | RawBuilder<string | null> {
  if (action.startsWith("draft.") || details["draft"] === true) return actor.userId;
  if (action === "run.cancel" || action === "run.answer") {
    return sql`(select user_id from runs where id = ${target} and is_private = 1)`;
  }
  if (action.startsWith("bridge.")) return actor.userId;
  if (action.startsWith("import.")) {
    return sql`(select user_id from imports
      where id = ${target} and workspace_id = ${workspaceId} and url like 'bridge:%')`;
  }
  const toolName = action.startsWith("tool.") ? target : details["toolName"];
  if (typeof toolName !== "string") return null;
  return sql`(select owner_user_id from tools
    where name = ${toolName} and workspace_id = ${workspaceId} and visibility = 'private')`;
}
