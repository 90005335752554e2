import type { IdentityContext } from "../context.ts";
import { deleteExpiredRecords } from "./record-store.ts";

/** Deletes at most `limit` codes, tokens and interactions that ended, and answers how many. */
export function removeExpiredRecords(
  { db, clock }: IdentityContext,
  limit: number,
): Promise<number> {
  return deleteExpiredRecords(db, clock.now(), limit);
}
