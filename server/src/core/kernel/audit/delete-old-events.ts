import type { AuditEventTable, Database } from "#db";
import { chainHash } from "./audit-chain.ts";
import { auditEvent, byService } from "./audit-event.ts";
import type { Link } from "./audit-store.ts";
import { findChain, findEnds } from "./audit-store.ts";
import {
  deleteRange,
  findSegmentAcross,
  findWorkspacesWithOldEvents,
  moveBase,
} from "./event-retention-store.ts";
import type { TrimRecord } from "./event-retention-store.ts";
import { findMergedSequence } from "./merge-store.ts";

/** The number of deleted events, and the workspaces whose chain is invalid, from which nothing was deleted. */
export type Deleted = { count: number; brokenWorkspaceIds: string[] };

/**
 * Events are stored for this much longer than required, so that each workspace is trimmed once a day and has few
 * `audit.trim` events.
 */
const graceMs = 86_400_000;
const maxWorkspaces = 100;

/**
 * Deletes events from before a time: at most `limit` of the oldest events of each workspace. The hash of the last
 * deleted event becomes the base of the chain, and an `audit.trim` event records the deletion at the time `now`. An
 * invalid part of a chain is evidence and is not deleted.
 */
export async function deleteOldEvents(
  db: Database,
  { before, now, limit }: { before: number; now: number; limit: number },
): Promise<Deleted> {
  const trimmed: Deleted = { count: 0, brokenWorkspaceIds: [] };
  for (const workspaceId of await findWorkspacesWithOldEvents(
    db,
    before - graceMs,
    maxWorkspaces,
  )) {
    const count = await deleteFromChain(db, workspaceId, { before, now, limit });
    if (count === "broken") trimmed.brokenWorkspaceIds.push(workspaceId);
    else trimmed.count += count;
  }
  return trimmed;
}

async function deleteFromChain(
  db: Database,
  workspaceId: string,
  { before, now, limit }: { before: number; now: number; limit: number },
): Promise<number | "broken"> {
  const ends = await findEnds(db, workspaceId);
  if (ends === undefined) return 0;
  const { base, mergedSequence } = ends;
  const { events } = await findChain(db, workspaceId, base.sequence, limit);
  const valid = findLinksBefore(base, events, before);
  if (valid === "broken") {
    // Events may have been read twice while their segments were merged.
    const isMerged = (await findMergedSequence(db, workspaceId)) !== mergedSequence;
    return isMerged ? 0 : "broken";
  }
  const last = await findLastWhole(db, workspaceId, [base, ...valid]);
  const count = last.sequence - base.sequence;
  if (count === 0) return 0;
  const record: TrimRecord = { count, lastSequence: last.sequence, lastHash: last.hash };
  const who = { ...byService, workspaceId };
  const what = { action: "audit.trim" as const, target: workspaceId, details: record };
  const isDone = await db.transact([
    moveBase(db, workspaceId, ends, last),
    ...deleteRange(db, workspaceId, base, last),
    db.kysely
      .insertInto("audit_events")
      .values(auditEvent(now, who, what))
      .compile(),
  ]);
  return isDone ? count : 0;
}

/** Verifies the events from before a time at the start of a chain, and returns their links. */
function findLinksBefore(
  base: Link,
  events: readonly AuditEventTable[],
  before: number,
): Link[] | "broken" {
  const links: Link[] = [];
  let last = base;
  for (const event of events) {
    if (event.at >= before) break;
    const sequence = last.sequence + 1;
    const hash = chainHash(last.hash, sequence, event);
    if (event.sequence !== sequence || event.hash !== hash) return "broken";
    last = { sequence, hash };
    links.push(last);
  }
  return links;
}

/** The last of the links that leaves no segment with a part of its events. */
async function findLastWhole(
  db: Database,
  workspaceId: string,
  links: readonly [Link, ...Link[]],
): Promise<Link> {
  const [base] = links;
  const last = links.at(-1) ?? base;
  const cut = await findSegmentAcross(db, workspaceId, last.sequence);
  if (cut === undefined) return last;
  return links.findLast(({ sequence }) => sequence < cut.first_sequence) ?? base;
}
