import type { AuditEvent } from "@toolhost/contract";
import type { Caller } from "../caller.ts";
import type { NodeContext } from "../context.ts";
import { auditInsert } from "./audit-event.ts";
import { readEvents } from "./list-audit-events.ts";
import type { AuditFilter } from "./list-store.ts";

const pageSize = 500;

/**
 * Exports the matching events of the workspace in pages, newest first, after recording the export itself. Stops early
 * when `isStillAllowed` returns false, because an export may take long.
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
    (after) => readEvents(db, caller, filter, { limit: pageSize, after }),
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
