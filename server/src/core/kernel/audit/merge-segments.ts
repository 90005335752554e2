import type { AuditSegmentTable, Database } from "#db";
import type { SealedEvent } from "./audit-segment.ts";
import { isDescribed, packSegment, unpackSegment } from "./audit-segment.ts";
import { findEnds, insertSegment } from "./audit-store.ts";
import type { ChainEnds } from "./audit-store.ts";
import {
  deleteSegments,
  findSegmentSizes,
  findSegmentsBetween,
  findWorkspacesToMerge,
  moveMerged,
} from "./merge-store.ts";
import type { SegmentSize } from "./merge-store.ts";

const dayMs = 86_400_000;
/** Retention deletes whole segments, so the events of one must be of nearly the same age. */
const maxSpanMs = dayMs;
/** A segment that is not followed by later events for so long is no longer extended. */
const settledMs = maxSpanMs + 3_600_000;
const maxEvents = 500;
const maxSegments = 100;
const maxWorkspaces = 100;

/**
 * Merges neighboring segments that have few events and are older than a day, in each workspace at most one group. Returns
 * how many segments it has looked at. The events, their positions and hashes stay the same. A segment that was altered is
 * evidence and stays as it is.
 */
export async function mergeSegments(db: Database, now: number): Promise<number> {
  const before = now - settledMs;
  let count = 0;
  for (const workspaceId of await findWorkspacesToMerge(db, before, maxWorkspaces)) {
    const ends = await findEnds(db, workspaceId);
    if (ends !== undefined) count += await mergeNext(db, workspaceId, ends, before);
  }
  return count;
}

async function mergeNext(
  db: Database,
  workspaceId: string,
  ends: ChainEnds,
  before: number,
): Promise<number> {
  const from = Math.max(ends.mergedSequence, ends.base.sequence);
  const sizes = await findSegmentSizes(db, workspaceId, from, maxSegments + 1);
  let looked = 0;
  for (;;) {
    const group = firstGroup(sizes.slice(looked), before);
    // A group that may continue after the segments that were read waits for the next call.
    const isCut = looked > 0 && looked + group.length > maxSegments;
    if (group.length === 0 || isCut) {
      const last = sizes[looked - 1];
      if (last === undefined) return 0;
      const isMoved = await db.transact([moveMerged(db, workspaceId, ends, last.last_sequence)]);
      return isMoved ? looked : 0;
    }
    looked += group.length;
    if (group.length > 1) return (await mergeGroup(db, workspaceId, ends, group)) ? looked : 0;
  }
}

async function mergeGroup(
  db: Database,
  workspaceId: string,
  ends: ChainEnds,
  group: readonly SegmentSize[],
): Promise<boolean> {
  const merged = await combine(db, workspaceId, group);
  return db.transact([
    moveMerged(db, workspaceId, ends, group.at(-1)?.last_sequence ?? 0),
    ...(merged === undefined
      ? []
      : [deleteSegments(db, workspaceId, group), insertSegment(db, merged)]),
  ]);
}

/** The first segments that fit into one. None if later events may still follow them. */
function firstGroup(sizes: readonly SegmentSize[], before: number): SegmentSize[] {
  const [first] = sizes;
  if (first === undefined || first.first_at >= before) return [];
  let events = 0;
  const end = sizes.findIndex((size) => {
    events += size.event_count;
    return events > maxEvents || size.last_at - first.first_at > maxSpanMs;
  });
  const count = end === -1 ? sizes.length : end;
  return sizes.slice(0, Math.min(Math.max(1, count), maxSegments));
}

/** One segment with the events of all. Undefined if one of them is missing or was altered. */
async function combine(
  db: Database,
  workspaceId: string,
  group: readonly SegmentSize[],
): Promise<AuditSegmentTable | undefined> {
  const events: SealedEvent[] = [];
  const segments = await findSegmentsBetween(db, workspaceId, group);
  if (segments.length !== group.length) return undefined;
  for (const segment of segments) {
    const unpacked = await unpackSegment(segment);
    if (unpacked === undefined || !isDescribed(segment, unpacked)) return undefined;
    events.push(...unpacked);
  }
  const isInOrder = events.every(
    ({ sequence }, index) => index === 0 || sequence > (events[index - 1]?.sequence ?? 0),
  );
  return isInOrder ? packSegment(events) : undefined;
}
