import type { Database } from "#db";
import { chainHash, genesisHash } from "./audit-chain.ts";
import {
  findEnds,
  findUnsealed,
  findUnsealedWorkspaces,
  moveHead,
  setSequences,
} from "./audit-store.ts";

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
  const events = await findUnsealed(db, workspaceId, batchSize);
  if (events.length === 0) return 0;
  let sequence = head?.sequence ?? 0;
  let hash = head?.hash ?? genesisHash;
  const sealed = events.map((event) => {
    sequence += 1;
    hash = chainHash(hash, sequence, event);
    return { id: event.id, sequence, hash };
  });
  const isSealed = await db.transact([
    moveHead(db, workspaceId, head, { sequence, hash }),
    setSequences(db, sealed),
  ]);
  return isSealed ? events.length : 0;
}
