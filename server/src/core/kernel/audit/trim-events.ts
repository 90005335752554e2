import type { AuditEventTable, Database } from "#db";
import { chainHash } from "./audit-chain.ts";
import { auditEvent } from "./audit-event.ts";
import type { Link } from "./audit-store.ts";
import { findChain, findEnds } from "./audit-store.ts";
import { deleteStretch, findTrimmable, moveBase } from "./trim-store.ts";
import type { TrimRecord } from "./trim-store.ts";

/** How many events left, and the chains that must keep theirs because they do not hold. */
export type Trimmed = { count: number; brokenWorkspaceIds: string[] };

/**
 * An event stays for so much longer than it must, so that a workspace's events leave by the day and the
 * records of their leaving stay few.
 */
const graceMs = 86_400_000;
const workspacesAtOnce = 100;

/**
 * Deletes events from before a time: of each workspace the oldest stretch of its chain, at most `limit`
 * events, which leaves a base for the rest and a record of itself. A stretch whose links do not hold is
 * evidence, and stays. `now` is the time that the record gets.
 */
export async function trimEvents(
  db: Database,
  { before, now, limit }: { before: number; now: number; limit: number },
): Promise<Trimmed> {
  const trimmed: Trimmed = { count: 0, brokenWorkspaceIds: [] };
  for (const workspaceId of await findTrimmable(db, before - graceMs, workspacesAtOnce)) {
    const count = await trimStretch(db, workspaceId, { before, now, limit });
    if (count === "broken") trimmed.brokenWorkspaceIds.push(workspaceId);
    else trimmed.count += count;
  }
  return trimmed;
}

async function trimStretch(
  db: Database,
  workspaceId: string,
  { before, now, limit }: { before: number; now: number; limit: number },
): Promise<number | "broken"> {
  const base = (await findEnds(db, workspaceId))?.base;
  if (base === undefined) return 0;
  const events = await findChain(db, workspaceId, base.sequence, limit);
  const last = follow(base, events, before);
  if (last === "broken") return "broken";
  const count = last.sequence - base.sequence;
  if (count === 0) return 0;
  const record: TrimRecord = { count, lastSequence: last.sequence, lastHash: last.hash };
  const who = {
    workspaceId,
    actor: { userId: null },
    via: "system" as const,
    requestId: null,
    ip: null,
  };
  const what = { action: "audit.trim" as const, target: workspaceId, details: record };
  const isDone = await db.transact([
    moveBase(db, workspaceId, base, last),
    deleteStretch(db, workspaceId, base, last),
    db.kysely
      .insertInto("audit_events")
      .values(auditEvent(now, who, what))
      .compile(),
  ]);
  return isDone ? count : 0;
}

/** The last link of those events at a chain's begin that are from before a time, if all of them hold. */
function follow(base: Link, events: readonly AuditEventTable[], before: number): Link | "broken" {
  let last = base;
  for (const event of events) {
    if (event.at >= before) break;
    const sequence = last.sequence + 1;
    const hash = chainHash(last.hash, sequence, event);
    if (event.sequence !== sequence || event.hash !== hash) return "broken";
    last = { sequence, hash };
  }
  return last;
}
