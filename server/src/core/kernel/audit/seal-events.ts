import type { Database } from "#db";
import { chainHash, genesisHash } from "./audit-chain.ts";
import {
  findEnds,
  findUnsealed,
  findUnsealedWorkspaces,
  moveHead,
  setPlaces,
} from "./audit-store.ts";

const batchSize = 500;

/**
 * Puts the events written since the last time into their workspaces' chains. Any node may do it at any
 * time: a batch that another node sealed first is left to it. Answers how many events it sealed.
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
  // The head is read before the events: whoever seals one of them in between moves it, and then the
  // step that moves it from here finds it gone.
  const head = (await findEnds(db, workspaceId))?.head;
  const events = await findUnsealed(db, workspaceId, batchSize);
  if (events.length === 0) return 0;
  let sequence = head?.sequence ?? 0;
  let hash = head?.hash ?? genesisHash;
  const places = events.map((event) => {
    sequence += 1;
    hash = chainHash(hash, sequence, event);
    return { id: event.id, sequence, hash };
  });
  const isSealed = await db.transact([
    moveHead(db, workspaceId, head, { sequence, hash }),
    setPlaces(db, places),
  ]);
  return isSealed ? events.length : 0;
}
