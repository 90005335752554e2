import type { Database } from "#db";
import { chainHash, genesisHash } from "./audit-chain.ts";
import { countUnsealedBefore, findChain, findChainWorkspaces, findHead } from "./audit-store.ts";

/** What a chain's check found: sound, or the first place where it is not. */
export type ChainReport =
  | { workspaceId: string; isSound: true; eventCount: number }
  | {
      workspaceId: string;
      isSound: false;
      eventCount: number;
      /** Place of the first link that does not hold, and the event found there, if any. */
      brokenAt: number;
      eventId: string | null;
      problem: string;
    };

const pageSize = 1_000;
/** Events are sealed within seconds; one that waits longer was kept from its chain. */
const sealingDelayMs = 10 * 60_000;

/** Checks the chain of every workspace, one after the other. */
export async function* verifyChains(db: Database): AsyncGenerator<ChainReport> {
  for (const workspaceId of await findChainWorkspaces(db)) yield verifyChain(db, workspaceId);
}

/** Recomputes a workspace's chain from its first event and names the first broken link. */
export async function verifyChain(db: Database, workspaceId: string): Promise<ChainReport> {
  let count = 0;
  let hash = genesisHash;
  const broken = (eventId: string | null, problem: string): ChainReport => ({
    workspaceId,
    isSound: false,
    eventCount: count,
    brokenAt: count + 1,
    eventId,
    problem,
  });
  for (;;) {
    const events = await findChain(db, workspaceId, count, pageSize);
    for (const event of events) {
      if (event.sequence !== count + 1)
        return broken(event.id, "an event before this one is missing");
      const expected = chainHash(hash, event.sequence, event);
      if (expected !== event.hash) return broken(event.id, "the event was altered");
      hash = expected;
      count += 1;
    }
    if (events.length < pageSize) break;
  }
  const head = await findHead(db, workspaceId);
  if ((head?.sequence ?? 0) > count) return broken(null, "the newest events are missing");
  if (count > 0 && head?.hash !== hash)
    return broken(null, "the chain's end does not match its head");
  const waiting = await countUnsealedBefore(db, workspaceId, Date.now() - sealingDelayMs);
  if (waiting > 0) return broken(null, `${waiting} events were never sealed`);
  return { workspaceId, isSound: true, eventCount: count };
}
