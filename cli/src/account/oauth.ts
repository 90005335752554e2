import { hash, randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { FetchResponse } from "@toolhost/client";
import { isRecord } from "../json.ts";
import { smallFetch } from "../node-fetch.ts";
import { CliError } from "../terminal/cli-error.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { command } from "../terminal/shell-command.ts";
import type { Account } from "./accounts.ts";
import { isLoopback } from "./address.ts";

/** The endpoints of the authorization server of a service. */
export type AuthorizationServer = {
  issuer: string;
  resource: string;
  authorizationEndpoint: string;
  tokenEndpoint: string;
  registrationEndpoint: string;
  revocationEndpoint: string | undefined;
  /** Whether its redirects name the issuer (RFC 9207). */
  namesIssuer: boolean;
};

const timeoutMs = 30_000;
/** All attempts end while the service still accepts the previous token. */
const refreshTimeoutMs = 8_000;
const retryMs = 300;

/** Finds the authorization server of the API at an address (RFC 9728, RFC 8414). */
export async function discover(
  address: string,
  { isInsecure }: { isInsecure: boolean },
): Promise<AuthorizationServer> {
  const resource = `${address}/api/v1`;
  const described = await readResource(new URL(resource), address);
  if (described.resource !== resource) {
    const own = described.resource.replace(/\/api\/v1$/, "");
    throw oauthError(
      `The service calls itself ${own}, not ${address}.`,
      command`toolhost login --url ${own}`,
    );
  }
  const [issuer] = described.issuers;
  if (issuer === undefined) throw oauthError(`${address} names no authorization server.`);
  secureUrl(issuer, isInsecure);
  const metadata = await getJson(`${issuer}/.well-known/oauth-authorization-server`, issuer);
  if (metadata["issuer"] !== issuer) throw oauthError("The authorization server has another name.");
  const endpoint = (name: string) => secureUrl(metadata[name], isInsecure);
  return {
    issuer,
    resource,
    authorizationEndpoint: endpoint("authorization_endpoint"),
    tokenEndpoint: endpoint("token_endpoint"),
    registrationEndpoint: endpoint("registration_endpoint"),
    revocationEndpoint:
      metadata["revocation_endpoint"] === undefined ? undefined : endpoint("revocation_endpoint"),
    namesIssuer: metadata["authorization_response_iss_parameter_supported"] === true,
  };
}

/** What a resource says about itself and its authorization servers (RFC 9728). */
export async function readResource(
  { origin, pathname }: URL,
  service: string = origin,
): Promise<{ resource: string; issuers: string[] }> {
  const url = `${origin}/.well-known/oauth-protected-resource${pathname}`;
  const { resource, authorization_servers: issuers } = await getJson(url, service);
  return { resource: String(resource), issuers: Array.isArray(issuers) ? issuers.map(String) : [] };
}

function secureUrl(value: unknown, isInsecure: boolean): string {
  const url = typeof value === "string" && URL.canParse(value) ? new URL(value) : undefined;
  const isSecure =
    url?.protocol === "https:" || (url?.protocol === "http:" && (isInsecure || isLoopback(url)));
  if (url === undefined || !isSecure) throw oauthError("An endpoint of the sign-in is not secure.");
  return url.href;
}

/** Registers this installation as a public client (RFC 7591), and returns its ID. */
export async function registerClient(server: AuthorizationServer, redirectUri: string) {
  const response = await send(server.registrationEndpoint, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      client_name: "Toolhost command line",
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: "none",
    }),
  });
  return String((await readJson(response, "register"))["client_id"]);
}

/** The parts of an authorization request with PKCE (RFC 7636). */
export function createAuthorization(
  server: AuthorizationServer,
  { clientId, redirectUri, scope }: { clientId: string; redirectUri: string; scope: string },
) {
  const verifier = randomBytes(32).toString("base64url");
  const state = randomBytes(24).toString("base64url");
  const url = new URL(server.authorizationEndpoint);
  url.search = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: "code",
    scope,
    state,
    code_challenge: hash("sha256", verifier, "base64url"),
    code_challenge_method: "S256",
    resource: server.resource,
  }).toString();
  return { url: url.href, state, verifier };
}

type Tokens = Pick<Account, "accessToken" | "refreshToken" | "expiresAt">;

/** Exchanges a code or a refresh token for tokens. */
export async function requestTokens(
  tokenEndpoint: string,
  grant: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<Tokens> {
  const init = { method: "POST", body: new URLSearchParams(grant), signal: signal ?? null };
  const response = await send(tokenEndpoint, init);
  const body = await readJson(response, "sign in");
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds } = body;
  if (typeof accessToken !== "string") throw oauthError("The service returned no token.");
  return {
    accessToken,
    refreshToken: typeof refreshToken === "string" ? refreshToken : (grant["refresh_token"] ?? ""),
    expiresAt: Date.now() + (typeof seconds === "number" ? seconds : 300) * 1_000,
  };
}

/**
 * Exchanges a refresh token, which the service replaces. If the response is lost, the request is repeated at once: the service
 * accepts the previous token for a short time only.
 */
export async function refreshTokens(account: Account, attempts = 3): Promise<Tokens> {
  try {
    return await requestTokens(
      account.tokenEndpoint,
      {
        grant_type: "refresh_token",
        client_id: account.clientId,
        refresh_token: account.refreshToken,
        resource: account.resource,
      },
      AbortSignal.timeout(refreshTimeoutMs),
    );
  } catch (error) {
    const isLost = error instanceof CliError && error.code === "unreachable";
    if (!isLost || attempts === 1) throw error;
    await sleep(retryMs);
    return refreshTokens(account, attempts - 1);
  }
}

/** Revokes the tokens (RFC 7009). Returns whether the service confirmed it. */
export async function revokeTokens({
  clientId,
  refreshToken,
  revocationEndpoint,
}: Account): Promise<boolean> {
  if (revocationEndpoint === undefined) return false;
  const form = { client_id: clientId, token: refreshToken, token_type_hint: "refresh_token" };
  const init = { method: "POST", body: new URLSearchParams(form) };
  try {
    const response = await send(revocationEndpoint, init);
    // A body that is not read keeps the connection open, and with it the process.
    await response.text();
    return response.ok;
  } catch {
    return false;
  }
}

async function getJson(url: string, service: string): Promise<Record<string, unknown>> {
  const response = await send(url, { headers: { accept: "application/json" } });
  if (response.status === 404) {
    throw oauthError(
      `${service} has no sign-in for the command line. Set TOOLHOST_API_KEY instead.`,
    );
  }
  return readJson(response, "sign in");
}

async function send(url: string, init: RequestInit): Promise<FetchResponse> {
  try {
    return await smallFetch(url, {
      ...init,
      signal: init.signal ?? AbortSignal.timeout(timeoutMs),
    });
  } catch (error) {
    throw new CliError(`${new URL(url).origin} could not be reached.`, {
      code: "unreachable",
      exitCode: exitCodes.unavailable,
      cause: error,
    });
  }
}

async function readJson(response: FetchResponse, what: string): Promise<Record<string, unknown>> {
  const body: unknown = await response.json().catch((error: unknown) => {
    if (error instanceof CliError) throw error;
  });
  if (response.ok && isRecord(body)) return body;
  const { error, error_description: description } = isRecord(body) ? body : {};
  const reason = [description, error].find((text) => typeof text === "string");
  throw oauthError(`Could not ${what}: ${(reason ?? `status ${response.status}`).slice(0, 300)}`);
}

export function oauthError(message: string, next = "toolhost login"): CliError {
  return new CliError(message, {
    code: "sign_in_failed",
    exitCode: exitCodes.notAllowed,
    next: [next],
  });
}
