import type { ChatContext } from "./context.ts";
import { updateHeld } from "./inbox-store.ts";
import type { Hold } from "./inbox-store.ts";

/** How long work stays its node's without a sign of life. */
const leaseMs = 10_000;
export const renewEveryMs = 2_500;

/** Some work is another's by now, so whoever still does it has to stop without a trace. */
export class LostWorkError extends Error {
  override name = "LostWorkError";
}

export function leaseEnd({ clock }: Pick<ChatContext, "clock">): number {
  return clock.now() + leaseMs;
}

/** Keeps work for longer, before something is done that cannot be taken back. Throws `LostWorkError`. */
export async function holdLonger(
  context: Pick<ChatContext, "db" | "clock">,
  held: Hold,
): Promise<void> {
  const query = updateHeld(context.db, held, { lease_until: leaseEnd(context) });
  if (!(await context.db.transact([{ query, mustChange: true }]))) {
    throw new LostWorkError("This work was taken over");
  }
}
