import type { IdentityContext } from "../context.ts";
import { deleteExpiredRecords } from "./record-store.ts";

/** Deletes at most `limit` expired codes, tokens and interactions, and returns how many. */
export function removeExpiredRecords(
  { db, clock }: IdentityContext,
  limit: number,
): Promise<number> {
  return deleteExpiredRecords(db, clock.now(), limit);
}
