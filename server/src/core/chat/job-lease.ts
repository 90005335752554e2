import type { ChatContext } from "./context.ts";
import { updateClaimed } from "./inbox-store.ts";
import type { JobClaim } from "./inbox-store.ts";

/** How long work stays its node's without a sign of life. */
const leaseMs = 10_000;
export const renewEveryMs = 2_500;

/** Some work is another's by now, so whoever still does it has to stop without a trace. */
export class LostLeaseError extends Error {
  override name = "LostLeaseError";
}

export function leaseEnd({ clock }: Pick<ChatContext, "clock">): number {
  return clock.now() + leaseMs;
}

/** Keeps work for longer, before something is done that cannot be taken back. Throws `LostLeaseError`. */
export async function extendLease(
  context: Pick<ChatContext, "db" | "clock">,
  claimed: JobClaim,
): Promise<void> {
  const query = updateClaimed(context.db, claimed, { lease_until: leaseEnd(context) });
  if (!(await context.db.transact([{ query, mustChange: true }]))) {
    throw new LostLeaseError("This work was taken over");
  }
}
