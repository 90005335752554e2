import * as oauth from "oauth4webapi";
import { ProviderError, toProviderError, validateCallback } from "#core/oauth-client";
import type { VaultContext } from "../context.ts";
import type { ConnectionSecrets, ConnectionSettings, Tokens } from "./connection.ts";
import { tidyAnswer } from "./provider-answer.ts";

/** Our client at a provider, and the workspace that it belongs to. */
export type Party = {
  workspaceId: string;
  settings: ConnectionSettings;
  secrets: ConnectionSecrets;
};

type Needs = Pick<VaultContext, "outbound" | "clock">;

/** Requests a token with client credentials (RFC 6749, section 4.4). Throws `ProviderError`. */
export function requestClientToken(context: Needs, party: Party): Promise<Tokens> {
  const { audience, resource, scopes } = party.settings;
  const parameters = given({ scope: scopes.join(" ") || null, audience, resource });
  return ask(context, party, (options) =>
    oauth.clientCredentialsGrantRequest(...client(party), parameters, options),
  );
}

/** Refreshes the tokens (section 6). Throws `ProviderError`. */
export function refreshTokens(context: Needs, party: Party, refreshToken: string): Promise<Tokens> {
  const { resource } = party.settings;
  return ask(context, party, (options) =>
    oauth.refreshTokenGrantRequest(...client(party), refreshToken, {
      ...options,
      additionalParameters: given({ resource }),
    }),
  );
}

type CallbackCode = { parameters: URLSearchParams; redirectUri: string; codeVerifier: string };

/** Redeems the code of a callback (section 4.1.3, RFC 7636, RFC 9207). Throws `ProviderError`. */
export function redeemCode(context: Needs, party: Party, callback: CallbackCode): Promise<Tokens> {
  const { parameters, redirectUri, codeVerifier } = callback;
  const { issuer, namesIssuer } = party.settings;
  const provider = { name: hostOf(party), issuer, namesIssuer };
  const additionalParameters = given({ resource: party.settings.resource });
  return ask(context, party, (options) =>
    oauth.authorizationCodeGrantRequest(
      ...client(party),
      validateCallback(provider, parameters),
      redirectUri,
      codeVerifier,
      { ...options, additionalParameters },
    ),
  );
}

/** Revokes a token (RFC 7009). Throws `ProviderError`. */
export async function revokeToken(
  context: Needs,
  party: Party,
  token: string,
  kind: "access_token" | "refresh_token",
): Promise<void> {
  const { revocationUrl } = party.settings;
  if (revocationUrl === null) return;
  try {
    const response = await oauth.revocationRequest(...client(party), token, {
      ...transport(context, party, (answer) => Promise.resolve(answer)),
      additionalParameters: { token_type_hint: kind },
    });
    await oauth.processRevocationResponse(response);
  } catch (error) {
    throw toProviderError(error, new URL(revocationUrl).host);
  }
}

type Transport = ReturnType<typeof transport>;

/** Replaces the fetch of the library. Our egress rules decide which plain http is allowed. */
function transport(
  { outbound }: Needs,
  { workspaceId }: Pick<Party, "workspaceId">,
  tidy: (answer: Response) => Promise<Response>,
) {
  return {
    [oauth.customFetch]: async (
      url: string,
      { method, headers, body }: oauth.CustomFetchOptions<"POST", URLSearchParams>,
    ) => {
      const connectionGroup = `connections of ${workspaceId}`;
      return tidy(
        await outbound.fetch(url, { connectionGroup, method, headers, body: body.toString() }),
      );
    },
    [oauth.allowInsecureRequests]: true,
  };
}

async function ask(
  context: Needs,
  party: Party,
  send: (options: Transport) => Promise<Response>,
): Promise<Tokens> {
  const askedAt = context.clock.now();
  try {
    const response = await send(transport(context, party, tidyAnswer));
    const [server, us] = client(party);
    const answer = await oauth.processGenericTokenEndpointResponse(server, us, response, {
      recognizedTokenTypes: slackTypes,
    });
    return toTokens(answer, askedAt, hostOf(party));
  } catch (error) {
    throw toProviderError(error, hostOf(party));
  }
}

function hostOf({ settings }: Party): string {
  return new URL(settings.tokenUrl).host;
}

/** Slack names the types of its bearer tokens after their owner. */
const slackTypes = { bot: () => {}, user: () => {} };

function client({ settings, secrets }: Party) {
  const { issuer, namesIssuer, tokenUrl, revocationUrl, clientId } = settings;
  const server: oauth.AuthorizationServer = {
    issuer: issuer ?? new URL(tokenUrl).origin,
    token_endpoint: tokenUrl,
    authorization_response_iss_parameter_supported: namesIssuer,
    ...(revocationUrl === null ? {} : { revocation_endpoint: revocationUrl }),
  };
  return [server, { client_id: clientId }, authentication(settings, secrets)] as const;
}

function authentication(
  { authMethod }: ConnectionSettings,
  { clientSecret = "" }: ConnectionSecrets,
): oauth.ClientAuth {
  if (authMethod === "none") return oauth.None();
  return authMethod === "client_secret_post"
    ? oauth.ClientSecretPost(clientSecret)
    : oauth.ClientSecretBasic(clientSecret);
}

/** Shorter tokens could not be redacted reliably; longer ones fit into no header. */
const token = /^[\x21-\x7e]{4,16384}$/;
const maxLifeSeconds = 10 * 365 * 86_400;

function toTokens(answer: oauth.TokenEndpointResponse, askedAt: number, host: string): Tokens {
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds } = answer;
  const isUsable =
    answer.token_type !== "dpop" &&
    token.test(accessToken) &&
    (refreshToken === undefined || token.test(refreshToken));
  if (!isUsable) {
    throw new ProviderError("refused", `${host} sent a token that is not a valid bearer token.`);
  }
  const isTimed = seconds !== undefined && seconds >= 0 && seconds < maxLifeSeconds;
  const scope = answer.scope?.slice(0, 10_000);
  return {
    accessToken,
    refreshToken,
    // Providers count whole seconds, so a token may expire up to one earlier.
    expiresAt: isTimed ? askedAt + Math.floor(Math.max(0, seconds - 1) * 1_000) : null,
    scopes: scope === undefined ? null : scope.split(/[ ,]+/).filter((one) => one !== ""),
  };
}

/** The parameters that are set. */
function given(parameters: Readonly<Record<string, string | null>>): Record<string, string> {
  const entries = Object.entries(parameters).flatMap(([name, value]) =>
    value === null ? [] : [[name, value] as const],
  );
  return Object.fromEntries(entries);
}
