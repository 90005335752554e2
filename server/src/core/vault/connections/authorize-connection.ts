import { openAttempt, startAuthorization, unknownAttempt } from "#core/oauth-client";
import type { AuthorizationRedirect, Visit } from "#core/oauth-client";
import type { VaultContext } from "../context.ts";
import { findAttemptedCredential } from "./assert-may-connect.ts";
import { callbackUrl } from "./connection-attempt.ts";
import { settingsOf } from "./connection.ts";
import type { ConnectionSettings } from "./connection.ts";
import { prepareAuthorization } from "./prepare-authorization.ts";

/** Redirects the initiator's browser to the provider. Throws `unauthenticated`, `not_found`, `forbidden`, `connection_failed`. */
export async function authorizeConnection(
  context: VaultContext,
  visit: Visit,
  ticket: string,
): Promise<AuthorizationRedirect> {
  const { attempt, caller } = await openAttempt(context, "connection_attempts", visit, ticket);
  const row = await prepareAuthorization(
    context,
    await findAttemptedCredential(context, attempt, caller),
  );
  const started = await startAuthorization(context, "connection_attempts", attempt);
  const { state, codeChallenge, browserSecret, cookieSuffix } = started;
  const proof = { state, code_challenge: codeChallenge, code_challenge_method: "S256" };
  const location = authorizationRequest(settingsOf(row), callbackUrl(context), proof);
  return { location, browserSecret, cookieSuffix };
}

function authorizationRequest(
  settings: ConnectionSettings,
  redirectUri: string,
  proof: Readonly<Record<string, string>>,
): string {
  const { authorizationUrl, authorizationParameters, clientId, scopes, audience, resource } =
    settings;
  if (authorizationUrl === null) throw unknownAttempt();
  const url = new URL(authorizationUrl);
  const parameters = {
    ...authorizationParameters,
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    ...proof,
    ...(scopes.length === 0 ? {} : { scope: scopes.join(" ") }),
    ...(audience === null ? {} : { audience }),
    ...(resource === null ? {} : { resource }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}
