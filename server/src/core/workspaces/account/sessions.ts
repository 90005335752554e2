import type { Session } from "@toolhost/contract";
import type { Caller } from "#core/kernel";
import { auditInsert, commitWrite, notFound } from "#core/kernel";
import type { WorkspacesContext } from "../context.ts";
import { toTimestamp } from "#lib/clock";
import { isId } from "#lib/ids";
import { deleteExpired, deleteSession, listSessionRows } from "./session-store.ts";
import type { SessionRow } from "./session-store.ts";

/** Lists the caller's sessions, newest first. */
export async function listSessions(
  context: WorkspacesContext,
  caller: Caller,
  page: { limit: number; after: string | undefined },
): Promise<Session[]> {
  const now = context.clock.now();
  const rows = await listSessionRows(context.db, caller.userId, { ...page, now });
  return rows.map((row) => present(row, caller));
}

/** Revokes one of the caller's sessions immediately. Throws `not_found`. */
export async function revokeSession(
  context: WorkspacesContext,
  caller: Caller,
  id: string,
): Promise<void> {
  const isRevoked =
    isId(id) &&
    (await commitWrite(context, caller, null, [
      { query: deleteSession(context.db, caller.userId, id), mustChange: true },
      auditInsert(context, caller, { action: "session.revoke", target: id }),
    ]));
  if (!isRevoked) throw notFound("not_found", "session", { id });
}

/** Deletes expired sessions and email links. Returns how many. */
export async function removeExpiredSignIns({ db, clock }: WorkspacesContext): Promise<number> {
  return deleteExpired(db, clock.now());
}

function timeOf(value: Date | string): string {
  return toTimestamp(new Date(value).getTime());
}

function present(row: SessionRow, { actor }: Caller): Session {
  return {
    id: row.id,
    isCurrent: row.id === actor.sessionId,
    ip: row.ip_address === "" ? null : row.ip_address,
    userAgent: row.user_agent === "" ? null : row.user_agent,
    createdAt: timeOf(row.created_at),
    lastUsedAt: timeOf(row.updated_at),
    expiresAt: timeOf(row.expires_at),
  };
}
