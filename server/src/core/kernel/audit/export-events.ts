import type { AuditEventTable, Database } from "#db";
import type { Caller } from "../caller.ts";
import type { NodeContext } from "../context.ts";
import type { RunViewer } from "../run-visibility.ts";
import { auditInsert } from "./audit-event.ts";
import { withNames } from "./event-names.ts";
import type { NamedEvent } from "./event-names.ts";
import { readEvents } from "./list-audit-events.ts";
import { listEvents } from "./list-store.ts";
import type { AuditFilter } from "./audit-filter.ts";

const pageSize = 500;

/**
 * Exports the matching events of the workspace in pages, newest first and with names, after recording the export itself. Stops early
 * when `isStillAllowed` returns false, because an export may take long.
 */
export async function exportAuditEvents(
  context: NodeContext,
  caller: Caller,
  filter: AuditFilter,
  isStillAllowed: () => Promise<boolean>,
): Promise<AsyncGenerator<NamedEvent[]>> {
  const { db } = context;
  const { workspaceId } = caller;
  await db.transact([
    auditInsert(context, caller, { action: "audit.export", target: workspaceId }),
  ]);
  const read = async (after: string | undefined) => {
    const { events, next } = await readEvents(db, caller, filter, { limit: pageSize, after });
    return { events: await withNames(context, caller, events), next };
  };
  return pages(read, isStillAllowed);
}

async function* pages(
  read: (after: string | undefined) => Promise<{ events: NamedEvent[]; next: string | undefined }>,
  isStillAllowed: () => Promise<boolean>,
): AsyncGenerator<NamedEvent[]> {
  let after: string | undefined;
  do {
    const { events, next } = await read(after);
    yield events;
    after = next;
  } while (after !== undefined && (await isStillAllowed()));
}

/** The events of a user's own actions in a workspace, oldest first. */
export async function* streamEventsOfUser(
  db: Database,
  user: RunViewer,
): AsyncGenerator<AuditEventTable> {
  const filter = { actor: user.userId };
  let after: string | undefined;
  do {
    const page = { limit: pageSize, after, sort: "oldest" as const };
    const { rows, scannedTo } = await listEvents(db, user, filter, page);
    yield* rows;
    after = rows.length === pageSize ? rows.at(-1)?.id : scannedTo;
  } while (after !== undefined);
}
