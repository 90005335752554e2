import type { AuditEventTable, Database } from "#db";
import { chainHash, genesisHash } from "./audit-chain.ts";
import { findHead, findUnsealed, moveHead, setPlaces } from "./audit-store.ts";

const batchSize = 500;

/**
 * Puts the events written since the last time into their workspaces' chains. Any node may do it at any
 * time: a batch that another node sealed first is left to it. Answers how many events it sealed.
 */
export async function sealEvents(db: Database): Promise<number> {
  let sealed = 0;
  for (;;) {
    const events = await findUnsealed(db, batchSize);
    const byWorkspace = Map.groupBy(events, (event) => event.workspace_id);
    let progress = 0;
    for (const [workspaceId, batch] of byWorkspace) {
      if (await sealBatch(db, workspaceId, batch)) progress += batch.length;
    }
    sealed += progress;
    if (progress === 0 || events.length < batchSize) return sealed;
  }
}

async function sealBatch(
  db: Database,
  workspaceId: string,
  events: readonly AuditEventTable[],
): Promise<boolean> {
  const head = await findHead(db, workspaceId);
  let sequence = head?.sequence ?? 0;
  let hash = head?.hash ?? genesisHash;
  const places = events.map((event) => {
    sequence += 1;
    hash = chainHash(hash, sequence, event);
    return { id: event.id, sequence, hash };
  });
  return db.transact([moveHead(db, workspaceId, head, { sequence, hash }), setPlaces(db, places)]);
}
