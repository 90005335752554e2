import type { Database } from "#db";
import { chainHash, genesisHash } from "./audit-chain.ts";
import { packSegment } from "./audit-segment.ts";
import { findEnds, insertSegment, moveHead, setSequences } from "./audit-store.ts";
import { deleteUnsealed, findUnsealed, findUnsealedWorkspaces } from "./unsealed-store.ts";

const batchSize = 500;

/**
 * Adds new events to the chains of their workspaces and returns how many it sealed. Any node may run it at any time:
 * a batch that another node seals first is skipped.
 */
export async function sealEvents(db: Database): Promise<number> {
  let sealed = 0;
  for (const workspaceId of await findUnsealedWorkspaces(db)) {
    let batch: number;
    do {
      batch = await sealBatch(db, workspaceId);
      sealed += batch;
    } while (batch === batchSize);
  }
  return sealed;
}

async function sealBatch(db: Database, workspaceId: string): Promise<number> {
  // The head is read before the events. If another node seals one of them in between, it moves the head, and
  // `moveHead` below changes nothing.
  const head = (await findEnds(db, workspaceId))?.head;
  const unsealed = await findUnsealed(db, workspaceId, batchSize);
  if (unsealed.length === 0) return 0;
  let sequence = head?.sequence ?? 0;
  let hash = head?.hash ?? genesisHash;
  const sealed = unsealed.map(({ event, isOfRun }) => {
    sequence += 1;
    hash = chainHash(hash, sequence, event);
    return { event: { ...event, sequence, hash }, isOfRun };
  });
  const ofRuns = sealed.flatMap(({ event, isOfRun }) => (isOfRun ? [event] : []));
  const others = sealed.flatMap(({ event, isOfRun }) => (isOfRun ? [] : [event]));
  const isSealed = await db.transact([
    moveHead(db, workspaceId, head, { sequence, hash }),
    ...(others.length === 0 ? [] : [setSequences(db, others)]),
    ...(ofRuns.length === 0
      ? []
      : [insertSegment(db, await packSegment(ofRuns)), deleteUnsealed(db, workspaceId, ofRuns)]),
  ]);
  return isSealed ? unsealed.length : 0;
}
