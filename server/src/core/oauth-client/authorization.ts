import { createHash } from "node:crypto";
import { sha256 } from "#lib/hash";
import { randomToken } from "#lib/ids";
import { setAttemptState } from "./attempt-store.ts";
import type { AttemptRow, AttemptTable } from "./attempt-store.ts";
import { unknownAttempt } from "./attempt.ts";
import type { OAuthClientContext } from "./context.ts";

/** The provider's address, and the secret that the browser has to return as a cookie. */
export type AuthorizationRedirect = {
  location: string;
  browserSecret: string;
  cookieSuffix: string;
};

type Started = Omit<AuthorizationRedirect, "location"> & {
  state: string;
  /** For PKCE with S256 (RFC 7636), where the provider supports it. */
  codeChallenge: string;
};

/**
 * Gives an attempt that its initiator opened a state that works once and a secret for this browser. Another start
 * invalidates the earlier state. Throws `not_found` if the attempt was used concurrently.
 */
export async function startAuthorization<T extends AttemptTable>(
  { db }: Pick<OAuthClientContext, "db">,
  table: T,
  attempt: AttemptRow<T>,
): Promise<Started> {
  const state = randomToken();
  const browserSecret = randomToken();
  const hashes = { state_hash: sha256(state), browser_hash: sha256(browserSecret) };
  if (!(await db.transact([setAttemptState(db, table, attempt, hashes)]))) throw unknownAttempt();
  const codeVerifier = codeVerifierOf(browserSecret);
  const codeChallenge = createHash("sha256").update(codeVerifier).digest("base64url");
  return { state, codeChallenge, browserSecret, cookieSuffix: cookieSuffixOf(state) };
}

/** The code verifier of RFC 7636, derived from the browser's secret so that the database does not store it. */
export function codeVerifierOf(browserSecret: string): string {
  return sha256(`code verifier ${browserSecret}`);
}

/** Separates the cookies of concurrent attempts in one browser. */
export function cookieSuffixOf(state: string): string {
  return sha256(state).slice(0, 12);
}
