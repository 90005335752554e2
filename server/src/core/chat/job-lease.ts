import type { ChatContext } from "./context.ts";
import { updateClaimed } from "./inbox-store.ts";
import type { JobClaim } from "./inbox-store.ts";

/** How long a job belongs to a node without a renewal. */
const leaseMs = 10_000;
export const renewEveryMs = 2_500;

/** The job belongs to another attempt now, so this one must stop without a trace. */
export class LostLeaseError extends Error {
  override name = "LostLeaseError";
}

export function leaseEnd({ clock }: Pick<ChatContext, "clock">): number {
  return clock.now() + leaseMs;
}

/** Extends the lease before an action that cannot be undone. Throws `LostLeaseError`. */
export async function extendLease(
  context: Pick<ChatContext, "db" | "clock">,
  claimed: JobClaim,
): Promise<void> {
  const query = updateClaimed(context.db, claimed, { lease_until: leaseEnd(context) });
  if (!(await context.db.transact([{ query, mustChange: true }]))) {
    throw new LostLeaseError("Another attempt has claimed the job");
  }
}
