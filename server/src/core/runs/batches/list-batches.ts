import { setImmediate as nextTurn } from "node:timers/promises";
import type { RunBatch } from "@toolhost/contract";
import type { Caller } from "#core/kernel";
import type { RunsContext } from "../context.ts";
import { countVisible, findBatches } from "./batch-store.ts";
import { presentBatch } from "./get-batch.ts";

/** Batches whose runs one statement counts. The embedded database blocks other requests meanwhile. */
const batchesAtOnce = 5;
const maxScanned = 200;

/** The batches that the caller may see, newest first. A page scans a limited number of batches; the next one starts after `next`. */
export async function listRunBatches(
  { db }: RunsContext,
  caller: Caller,
  { limit, after }: { limit: number; after: string | undefined },
): Promise<{ batches: RunBatch[]; next: string | undefined }> {
  const batches: RunBatch[] = [];
  let next = after;
  for (let scanned = 0; scanned < maxScanned; scanned += batchesAtOnce) {
    const found = await findBatches(db, caller, { limit: batchesAtOnce, after: next });
    for (const { batch, counts } of await countVisible(db, caller, found)) {
      if (batches.length === limit) return { batches, next };
      batches.push(presentBatch(batch, counts));
      next = batch.id;
    }
    if (found.length < batchesAtOnce) return { batches, next: undefined };
    next = found.at(-1)?.id;
    await nextTurn();
  }
  return { batches, next };
}
