import type { AuditEvent } from "@toolhost/contract";
import type { Caller } from "../caller.ts";
import type { NodeContext } from "../context.ts";
import { auditInsert } from "./audit-event.ts";
import { readEvents } from "./list-audit-events.ts";
import type { AuditFilter } from "./list-store.ts";

const eventsAtOnce = 500;

/**
 * All of the workspace's events that match, newest first, some hundreds at a time. Ends early when `isStillAllowed`
 * says so, since it may go on for long. Writes an event of its own first.
 */
export async function exportAuditEvents(
  context: NodeContext,
  caller: Caller,
  filter: AuditFilter,
  isStillAllowed: () => Promise<boolean>,
): Promise<AsyncGenerator<AuditEvent[]>> {
  const { db } = context;
  const { workspaceId } = caller;
  await db.transact([
    auditInsert(context, caller, { action: "audit.export", target: workspaceId }),
  ]);
  return pages(
    (after) => readEvents(db, caller, filter, { limit: eventsAtOnce, after }),
    isStillAllowed,
  );
}

async function* pages(
  read: (after: string | undefined) => ReturnType<typeof readEvents>,
  isStillAllowed: () => Promise<boolean>,
): AsyncGenerator<AuditEvent[]> {
  let after: string | undefined;
  do {
    const { events, next } = await read(after);
    yield events;
    after = next;
  } while (after !== undefined && (await isStillAllowed()));
}
