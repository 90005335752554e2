import type { Context } from "#core/context";
import { deleteExpiredRecords } from "./record-store.ts";

const batch = 500;

/** Deletes codes, tokens and interactions that ended, batch by batch, until none is left. */
export async function removeExpiredRecords(context: Context, signal: AbortSignal): Promise<void> {
  const now = context.clock.now();
  while (!signal.aborted) {
    // oxlint-disable-next-line no-await-in-loop
    const deleted = await deleteExpiredRecords(context.db, now, batch);
    if (deleted < batch) return;
  }
}
