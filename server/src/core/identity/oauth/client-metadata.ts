import { isNativeAddress, isWebAddress, redirectProblem } from "./redirect-rules.ts";

/** What of a client's own description is taken over (RFC 7591, section 2). The rest is ours to set. */
const kept = [
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

/** A client's description cannot be taken over. `error` is the code of RFC 7591, section 3.2.2. */
export class ClientMetadataError extends Error {
  override name = "ClientMetadataError";
  readonly error: "invalid_redirect_uri" | "invalid_client_metadata";

  constructor(error: ClientMetadataError["error"], message: string) {
    super(message);
    this.error = error;
  }
}

/**
 * A client's description as the authorization server takes it: what is merely unknown or pointless is left
 * out, for real clients send much of it; what is dangerous is refused. Throws `ClientMetadataError`.
 */
export function normalizeClientMetadata(
  given: unknown,
  redirectSchemes: readonly string[],
): Record<string, unknown> {
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    throw new ClientMetadataError("invalid_client_metadata", "Send a JSON object.");
  }
  const metadata: Record<string, unknown> = {};
  for (const name of kept) {
    const value: unknown = Reflect.get(given, name);
    if (value !== undefined && value !== null && value !== "") metadata[name] = value;
  }
  for (const name of links) {
    if (!isWebAddress(metadata[name])) delete metadata[name];
  }
  metadata["client_name"] = cleanName(metadata["client_name"]);
  const redirects = checkRedirects(metadata["redirect_uris"], redirectSchemes);
  metadata["redirect_uris"] = redirects;
  // A program on the person's machine: any port of a loopback address is its own (RFC 8252, section 7.3).
  metadata["application_type"] = redirects.some(isNativeAddress) ? "native" : "web";
  metadata["grant_types"] = ["authorization_code", "refresh_token"];
  metadata["response_types"] = ["code"];
  return metadata;
}

/**
 * A client that was registered under other rules, with only the addresses that are allowed today; undefined when
 * none of its redirect addresses is.
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

/** One line of text that cannot pretend to be anything else on a page. */
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
      `redirect_uris must be a list of 1 to ${maxRedirects} addresses.`,
    );
  }
  return given.map((address: unknown) => {
    const problem = redirectProblem(address, schemes);
    if (typeof address !== "string" || problem !== undefined) {
      throw new ClientMetadataError(
        "invalid_redirect_uri",
        `A redirect address ${problem ?? "must be text"}.`,
      );
    }
    return address;
  });
}
