import { isNativeAddress, isWebAddress, redirectProblem } from "./redirect-rules.ts";

/** The metadata of a client that is used (RFC 7591, section 2). The server sets the rest. */
const usedMetadata = [
  "client_id",
  "client_name",
  "client_uri",
  "logo_uri",
  "tos_uri",
  "policy_uri",
  "redirect_uris",
  "token_endpoint_auth_method",
  "token_endpoint_auth_signing_alg",
  "jwks",
  "jwks_uri",
  "software_id",
  "software_version",
] as const;

const links = ["client_uri", "logo_uri", "tos_uri", "policy_uri"] as const;
const maxRedirects = 20;

/** Client metadata that is rejected. `error` is a code of RFC 7591, section 3.2.2. */
export class ClientMetadataError extends Error {
  override name = "ClientMetadataError";
  readonly error: "invalid_redirect_uri" | "invalid_client_metadata";

  constructor(error: ClientMetadataError["error"], message: string) {
    super(message);
    this.error = error;
  }
}

/**
 * Returns the client metadata for the authorization server. Unknown and unused members are omitted, because clients
 * send many of them; dangerous ones are rejected. Throws `ClientMetadataError`.
 */
export function normalizeClientMetadata(
  given: unknown,
  redirectSchemes: readonly string[],
): Record<string, unknown> {
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    throw new ClientMetadataError("invalid_client_metadata", "Send a JSON object.");
  }
  const metadata: Record<string, unknown> = {};
  for (const name of usedMetadata) {
    const value: unknown = Reflect.get(given, name);
    if (value !== undefined && value !== null && value !== "") metadata[name] = value;
  }
  for (const name of links) {
    if (!isWebAddress(metadata[name])) delete metadata[name];
  }
  metadata["client_name"] = cleanName(metadata["client_name"]);
  const redirects = checkRedirects(metadata["redirect_uris"], redirectSchemes);
  metadata["redirect_uris"] = redirects;
  // A loopback redirect belongs to a program on the user's machine, which may use any port (RFC 8252, section 7.3).
  metadata["application_type"] = redirects.some(isNativeAddress) ? "native" : "web";
  metadata["grant_types"] = ["authorization_code", "refresh_token"];
  metadata["response_types"] = ["code"];
  return metadata;
}

/**
 * A client registered under earlier rules, with only the redirect URIs that are still allowed; undefined if none of
 * them is.
 */
export function withAllowedAddresses<Client extends Record<string, unknown>>(
  client: Client,
  redirectSchemes: readonly string[],
): Client | undefined {
  const { redirect_uris: redirects } = client;
  const allowed = Array.isArray(redirects)
    ? redirects.filter((address) => redirectProblem(address, redirectSchemes) === undefined)
    : [];
  if (allowed.length === 0) return undefined;
  const rest = Object.entries(client).filter(
    ([name, value]) => !links.some((link) => link === name) || isWebAddress(value),
  );
  return { ...(Object.fromEntries(rest) as Client), redirect_uris: allowed };
}

/** One line of text, without characters that could imitate other parts of a page. */
function cleanName(name: unknown): string | undefined {
  if (typeof name !== "string") return undefined;
  const clean = name
    .slice(0, 1_000)
    .replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu, "")
    .trim()
    .slice(0, 80);
  return clean === "" ? undefined : clean;
}

function checkRedirects(given: unknown, schemes: readonly string[]): string[] {
  const isList = Array.isArray(given) && given.length > 0 && given.length <= maxRedirects;
  if (!isList) {
    throw new ClientMetadataError(
      "invalid_redirect_uri",
      `redirect_uris must be a list of 1 to ${maxRedirects} URIs.`,
    );
  }
  return given.map((address: unknown) => {
    const problem = redirectProblem(address, schemes);
    if (typeof address !== "string" || problem !== undefined) {
      throw new ClientMetadataError(
        "invalid_redirect_uri",
        `A redirect URI ${problem ?? "must be text"}.`,
      );
    }
    return address;
  });
}
