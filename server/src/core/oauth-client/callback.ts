import * as oauth from "oauth4webapi";
import { ServiceError } from "#core/kernel";
import type { Caller } from "#core/kernel";
import { sha256 } from "#lib/hash";
import { findAttempt, takeAttempt } from "./attempt-store.ts";
import type { AttemptRow, AttemptTable } from "./attempt-store.ts";
import { assertInitiator, isAttemptValid, unknownAttempt } from "./attempt.ts";
import type { Visit } from "./attempt.ts";
import { codeVerifierOf } from "./authorization.ts";
import type { OAuthClientContext } from "./context.ts";
import { ProviderError, toProviderError } from "./provider-error.ts";

/** A browser's request after the provider redirected it back. */
export type Callback = Visit & {
  parameters: URLSearchParams;
  /** The value of the cookie that was set with the redirect. */
  browserSecret: string | undefined;
};

/**
 * The attempt of a callback, its initiator, and the code verifier of its authorization request. Throws `not_found` for
 * a state that is unknown, used or expired, `forbidden` for another browser or person, and `unauthenticated`.
 */
export async function openCallback<T extends AttemptTable>(
  context: OAuthClientContext,
  table: T,
  callback: Callback,
): Promise<{ attempt: AttemptRow<T>; caller: Caller; codeVerifier: string }> {
  const stateHash = sha256(callback.parameters.get("state") ?? "");
  const attempt = await findAttempt(context.db, table, "state_hash", stateHash);
  if (!isAttemptValid(context, attempt)) throw unknownAttempt();
  const { browserSecret } = callback;
  if (browserSecret === undefined || sha256(browserSecret) !== attempt.browser_hash) {
    throw new ServiceError(
      "forbidden",
      "This sign-in was started in another browser. Continue there, or start over here.",
    );
  }
  const caller = await assertInitiator(context, callback, attempt);
  return { attempt, caller, codeVerifier: codeVerifierOf(browserSecret) };
}

/**
 * Consumes an attempt before its code is redeemed, regardless of the outcome. Throws `not_found` if it was consumed
 * before.
 */
export async function consumeAttempt<T extends AttemptTable>(
  { db, clock }: Pick<OAuthClientContext, "db" | "clock">,
  table: T,
  attempt: AttemptRow<T>,
): Promise<void> {
  const step = takeAttempt(db, table, attempt, clock.now());
  if (!(await db.transact([step]))) throw unknownAttempt();
}

type Provider = {
  /** For messages: its host, or its name. */
  name: string;
  /** From its metadata; null when it publishes none. */
  issuer: string | null;
  /** Whether its metadata promise the `iss` parameter (RFC 9207). */
  namesIssuer: boolean;
};

/**
 * The parameters of a callback, checked by RFC 6749, section 4.1.2, and RFC 9207. Throws `ProviderError`, `denied` when
 * the person declined.
 */
export function validateCallback(
  { name, issuer, namesIssuer }: Provider,
  parameters: URLSearchParams,
): URLSearchParams {
  const checked = new URLSearchParams(parameters);
  // Without metadata there is nothing to compare it with.
  if (issuer === null) checked.delete("iss");
  const server: oauth.AuthorizationServer = {
    issuer: issuer ?? "https://unknown.invalid",
    authorization_response_iss_parameter_supported: namesIssuer,
  };
  try {
    // That the state is ours was proven by its hash; here it must not occur twice.
    return oauth.validateAuthResponse(
      server,
      { client_id: "-" },
      checked,
      parameters.get("state") ?? "",
    );
  } catch (error) {
    if (error instanceof oauth.AuthorizationResponseError) throw toProviderError(error, name);
    throw new ProviderError("forbidden", `The response did not come from ${name}.`);
  }
}
