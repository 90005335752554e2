import { setImmediate as breathe } from "node:timers/promises";
import type { Database } from "#db";
import { chainHash, genesisHash } from "./audit-chain.ts";
import type { ChainEnds, Link } from "./audit-store.ts";
import { countUnsealedBefore, findChain, findChainWorkspaces, findEnds } from "./audit-store.ts";
import { findTrimRecords, hasEventsUpTo } from "./trim-store.ts";

/** What a chain's check found: sound, or the first place where it is not. */
export type ChainReport = {
  workspaceId: string;
  /** Events that were looked at and are as they were written. */
  eventCount: number;
  /** Events before them that have left with age. */
  trimmedCount: number;
} & (
  | { isSound: true }
  | {
      isSound: false;
      /** Place of the first link that does not hold, and the event found there, if any. */
      brokenAt: number;
      eventId: string | null;
      problem: string;
    }
);

const pageSize = 1_000;
/** Events are sealed within seconds; one that waits longer was kept from its chain. */
const sealingDelayMs = 10 * 60_000;
/** The ends of a chain that has no event yet. */
export const noEnds: ChainEnds = {
  head: { sequence: 0, hash: genesisHash },
  base: { sequence: 0, hash: genesisHash },
};

/** Checks the chain of every workspace, one after the other. */
export async function* verifyChains(db: Database): AsyncGenerator<ChainReport> {
  for (const workspaceId of await findChainWorkspaces(db)) yield verifyChain(db, workspaceId);
}

/**
 * Recomputes a workspace's chain from its first event, or from the base that events which left with age
 * have left behind, and names the first broken link. Events may be sealed and leave meanwhile.
 */
export async function verifyChain(db: Database, workspaceId: string): Promise<ChainReport> {
  return verifyStretch(db, workspaceId, { isOver: () => false });
}

type Stretch = {
  /** The link to go on from, which is believed; the chain's base when left out. */
  start?: Link | undefined;
  /** Asked now and then: whether to stop and say where to go on. */
  isOver: () => boolean;
};

/** The same for a part of a chain. `next` is the last link that was checked when the check stopped before the end. */
export async function verifyStretch(
  db: Database,
  workspaceId: string,
  { start, isOver }: Stretch,
): Promise<ChainReport & { next?: number }> {
  for (;;) {
    const before = (await findEnds(db, workspaceId)) ?? noEnds;
    const { base } = before;
    const from = start !== undefined && start.sequence > base.sequence ? start : base;
    const walk = await walkChain(db, workspaceId, before, { from, isOver });
    const after = (await findEnds(db, workspaceId)) ?? noEnds;
    // What left while we walked is missing, and no fault.
    if (after.base.sequence !== base.sequence) continue;
    const found = {
      workspaceId,
      eventCount: walk.last.sequence - from.sequence,
      trimmedCount: base.sequence,
    };
    if (walk.isCut) return { ...found, isSound: true, next: walk.last.sequence };
    const problem = walk.problem ?? (await findProblem(db, workspaceId, walk, before, after));
    if (problem === undefined) return { ...found, isSound: true };
    const brokenAt = walk.last.sequence + 1;
    return { ...found, isSound: false, brokenAt, eventId: walk.brokenId, problem };
  }
}

type Walk = {
  /** The last link that holds. */
  last: Link;
  /** The hash at the place where the head was before the walk, if it came so far. */
  hashAtHead: string | undefined;
  problem: string | undefined;
  brokenId: string | null;
  /** It stopped before the chain's end. */
  isCut?: true;
};

async function walkChain(
  db: Database,
  workspaceId: string,
  { head, base }: ChainEnds,
  { from, isOver }: { from: Link; isOver: () => boolean },
): Promise<Walk> {
  let last = from;
  let hashAtHead = head.sequence === from.sequence ? from.hash : undefined;
  const broken = (brokenId: string, problem: string) => ({ last, hashAtHead, brokenId, problem });
  for (;;) {
    const events = await findChain(db, workspaceId, last.sequence, pageSize);
    for (const event of events) {
      const sequence = last.sequence + 1;
      if (event.sequence !== sequence) {
        return broken(event.id, "an event before this one is missing");
      }
      const hash = chainHash(last.hash, sequence, event);
      if (hash !== event.hash) {
        const isFirst = last === base && base.sequence > 0;
        return broken(
          event.id,
          isFirst ? "the event or the base before it was altered" : "the event was altered",
        );
      }
      last = { sequence, hash };
      if (sequence === head.sequence) hashAtHead = hash;
    }
    const sound = { last, hashAtHead, brokenId: null, problem: undefined };
    if (events.length < pageSize) return sound;
    if (isOver()) return { ...sound, isCut: true };
    // The embedded database answers on this thread, which others need as well.
    await breathe();
  }
}

/** What is wrong with a chain whose links all hold; undefined when nothing is. */
async function findProblem(
  db: Database,
  workspaceId: string,
  { last, hashAtHead }: Walk,
  before: ChainEnds,
  after: ChainEnds,
): Promise<string | undefined> {
  if (last.sequence < before.head.sequence) return "the newest events are missing";
  if (hashAtHead !== before.head.hash || last.sequence > after.head.sequence) {
    return "the chain's end does not match its head";
  }
  const { base } = before;
  if (base.sequence > 0) {
    if (!(await isRecorded(db, workspaceId, base))) return "no event records the chain's base";
    if (await hasEventsUpTo(db, workspaceId, base.sequence)) {
      return "events before the chain's base are still there";
    }
  }
  const waiting = await countUnsealedBefore(db, workspaceId, Date.now() - sealingDelayMs);
  return waiting > 0 ? `${waiting} events were never sealed` : undefined;
}

/** Whether an event of the chain says that everything up to this base has left. */
async function isRecorded(db: Database, workspaceId: string, base: Link): Promise<boolean> {
  const records = await findTrimRecords(db, workspaceId);
  return records.some(
    ({ lastSequence, lastHash }) => lastSequence === base.sequence && lastHash === base.hash,
  );
}
