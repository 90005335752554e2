import type { AuditEvent } from "@toolhost/contract";
import type { Database } from "#db";
import type { Caller } from "../caller.ts";
import type { NodeContext } from "../context.ts";
import { findToolTitles } from "../tool-titles.ts";

/** The names behind the IDs of an event; empty if there is none or the caller may not see it. */
type EventNames = { actorName: string; targetName: string };

export type NamedEvent = { event: AuditEvent; names: EventNames };

/**
 * Adds to a page of events the names of their actors and targets today. Only sessions get those of members and
 * invitations, because API keys cannot list them.
 */
export async function withNames(
  { db, clock }: Pick<NodeContext, "db" | "clock">,
  caller: Caller,
  events: readonly AuditEvent[],
): Promise<NamedEvent[]> {
  const { workspaceId, actor } = caller;
  const open = events.filter(({ hidden }) => hidden !== true);
  const targets = open.map(({ target }) => target);
  const isPerson = actor.sessionId !== undefined;
  const userIds = events.flatMap((event) => event.actor.userId ?? []);
  const [titles, members, invitations] = await Promise.all([
    findToolTitles(
      db,
      caller,
      open.flatMap((event) => toolOf(event) ?? []),
    ),
    isPerson ? findMemberNames(db, workspaceId, [...userIds, ...targets]) : none,
    isPerson ? findInvitees(db, workspaceId, targets, clock.now()) : none,
  ]);
  return events.map((event) => {
    const { userId } = event.actor;
    const { target } = event;
    const people = members.get(target) ?? invitations.get(target);
    return {
      event,
      names: {
        actorName: userId === null ? "System" : (members.get(userId) ?? ""),
        targetName:
          event.hidden === true
            ? ""
            : (titles.get(toolOf(event) ?? "") ?? people ?? nameInDetails(event)),
      },
    };
  });
}

const none: ReadonlyMap<string, string> = new Map();

/** The name of the tool that an event is about. */
export function toolOf({ action, target, details: { toolName } }: AuditEvent): string | undefined {
  if (action.startsWith("tool.")) return target;
  return typeof toolName === "string" ? toolName : undefined;
}

/** The name that the target had at the time of the event, such as that of a credential or a file. */
function nameInDetails({ details }: AuditEvent): string {
  const name = details["name"] ?? details["fileName"] ?? details["client"];
  return typeof name === "string" ? name : "";
}

async function findMemberNames(
  db: Database,
  workspaceId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return none;
  const rows = await db.kysely
    .selectFrom("members")
    .innerJoin("users", "users.id", "members.user_id")
    .select(["users.id", "users.name", "users.email"])
    .where("members.workspace_id", "=", workspaceId)
    .where("members.user_id", "in", [...new Set(ids)])
    .execute();
  return new Map(rows.map(({ id, name, email }) => [id, name || email]));
}

async function findInvitees(
  db: Database,
  workspaceId: string,
  ids: readonly string[],
  now: number,
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return none;
  const rows = await db.kysely
    .selectFrom("invitations")
    .select(["id", "email"])
    .where("workspace_id", "=", workspaceId)
    .where("expires_at", ">", now)
    .where("id", "in", [...new Set(ids)])
    .execute();
  return new Map(rows.map(({ id, email }) => [id, email]));
}
