import { toAuthTimestamp } from "../access/auth-timestamp.ts";
import type { IdentityContext } from "../context.ts";
import { sha256 } from "#lib/hash";

/** Longer than the library accepts a code, which is one step before and after its own. */
const usedCodeTtlMs = 120_000;

/**
 * Marks a code of an authenticator app as used by a user. If it was used before, it ends the session and returns false,
 * because an observer must not be able to reuse a code (RFC 6238, section 5.2).
 */
export async function consumeTotpCode(
  { db }: Pick<IdentityContext, "db">,
  session: { userId: string; sessionId: string },
  code: string,
): Promise<boolean> {
  const now = Date.now();
  const id = sha256(`used code ${session.userId} ${code}`);
  const time = toAuthTimestamp(db, now);
  const expires_at = toAuthTimestamp(db, now + usedCodeTtlMs);
  const row = { id, identifier: id, value: "", expires_at, created_at: time, updated_at: time };
  const query = db.kysely
    .insertInto("verifications")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .compile();
  if (await db.transact([{ query, mustChange: true }])) return true;
  await db.kysely.deleteFrom("sessions").where("id", "=", session.sessionId).execute();
  return false;
}
