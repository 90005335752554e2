import type { Database } from "#db";
import { yieldToEventLoop } from "#lib/event-loop";
import { chainHash, genesisHash } from "./audit-chain.ts";
import type { ChainEnds, Link } from "./audit-store.ts";
import { countUnsealedBefore, findChain, findChainWorkspaces, findEnds } from "./audit-store.ts";
import { findTrimRecords, hasEventsUpTo } from "./event-retention-store.ts";

/** The result for a chain: valid, or the first position at which it is not. */
export type ChainReport = {
  workspaceId: string;
  /** Number of verified events. */
  eventCount: number;
  /** Number of earlier events that retention has deleted. */
  trimmedCount: number;
} & (
  | { isSound: true }
  | {
      isSound: false;
      /** Sequence number of the first invalid event, and the ID of the event found there, if any. */
      brokenAt: number;
      eventId: string | null;
      problem: string;
    }
);

const pageSize = 1_000;
/** Events are sealed within seconds. One that stays unsealed for longer indicates tampering. */
const sealingDelayMs = 10 * 60_000;
/** The ends of an empty chain. */
export const noEnds: ChainEnds = {
  head: { sequence: 0, hash: genesisHash },
  base: { sequence: 0, hash: genesisHash },
  mergedSequence: 0,
};

/** Verifies the chain of every workspace, one after the other. */
export async function* verifyChains(db: Database): AsyncGenerator<ChainReport> {
  for (const workspaceId of await findChainWorkspaces(db)) yield verifyChain(db, workspaceId);
}

/**
 * Recomputes a workspace's chain from its first event, or from the base that retention has left, and reports the first
 * invalid event. Events may be sealed and deleted concurrently.
 */
export async function verifyChain(db: Database, workspaceId: string): Promise<ChainReport> {
  return verifyPart(db, workspaceId, { isOver: () => false });
}

type Part = {
  /** The event to continue after, which is trusted. Defaults to the chain's base. */
  start?: Link | undefined;
  /** Checked between pages: whether to stop and return where to continue. */
  isOver: () => boolean;
};

/** Verifies a part of a chain. `next` is the last verified event if the verification stopped before the end. */
export async function verifyPart(
  db: Database,
  workspaceId: string,
  { start, isOver }: Part,
): Promise<ChainReport & { next?: number }> {
  for (;;) {
    const before = (await findEnds(db, workspaceId)) ?? noEnds;
    const { base } = before;
    const from = start !== undefined && start.sequence > base.sequence ? start : base;
    const walk = await walkChain(db, workspaceId, before, { from, isOver });
    const after = (await findEnds(db, workspaceId)) ?? noEnds;
    // Retention deleted events concurrently, so some may have been missing legitimately.
    if (after.base.sequence !== base.sequence) continue;
    // Segments were merged concurrently, so an event may have been read twice.
    const isRepeated = after.mergedSequence !== before.mergedSequence;
    if (walk.problem !== undefined && isRepeated) continue;
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
  /** The last valid event. */
  last: Link;
  /** The hash at the position of the head as it was before the walk, if the walk reached it. */
  hashAtHead: string | undefined;
  problem: string | undefined;
  brokenId: string | null;
  /** The walk stopped before the end of the chain. */
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
  const broken = (brokenId: string | null, problem: string) => ({
    last,
    hashAtHead,
    brokenId,
    problem,
  });
  for (;;) {
    const part = await findChain(db, workspaceId, last.sequence, pageSize);
    const { events, isEnd, alteredAt } = part;
    if (events.length === 0 && !isEnd) return broken(null, "an event was altered");
    for (const event of events) {
      const sequence = last.sequence + 1;
      if (event.sequence !== sequence) {
        return broken(event.id, "the previous event is missing");
      }
      const hash = chainHash(last.hash, sequence, event);
      if (hash !== event.hash) {
        const isFirst = last === base && base.sequence > 0;
        return broken(
          event.id,
          isFirst ? "the event or the base before it was altered" : "an event was altered",
        );
      }
      last = { sequence, hash };
      if (sequence === head.sequence) hashAtHead = hash;
    }
    // After the events, whose check finds the exact position.
    if (alteredAt !== undefined) {
      const position = Math.max(alteredAt, from.sequence + 1);
      last = { ...last, sequence: position - 1 };
      const found = events.find((event) => event.sequence === position);
      return broken(found?.id ?? null, "the segment of the event was altered");
    }
    const sound = { last, hashAtHead, brokenId: null, problem: undefined };
    if (isEnd) return sound;
    if (isOver()) return { ...sound, isCut: true };
    // The embedded database runs on this thread, so other work gets a turn.
    await yieldToEventLoop();
  }
}

/** Finds a problem in a chain whose events are all valid. */
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
  if (base.sequence > 0 && !(await isRecorded(db, workspaceId, base))) {
    return "no event records the chain's base";
  }
  if (await hasEventsUpTo(db, workspaceId, base.sequence)) {
    return base.sequence > 0
      ? "events before the chain's base were not deleted"
      : "an event was added before the first one";
  }
  const waiting = await countUnsealedBefore(db, workspaceId, Date.now() - sealingDelayMs);
  return waiting > 0 ? `${waiting} events were not sealed in time` : undefined;
}

/** Whether an `audit.trim` event records the deletion up to this base. */
async function isRecorded(db: Database, workspaceId: string, base: Link): Promise<boolean> {
  const records = await findTrimRecords(db, workspaceId);
  return records.some(
    ({ lastSequence, lastHash }) => lastSequence === base.sequence && lastHash === base.hash,
  );
}
