import type { CreateConnectionInput } from "@toolhost/contract";
import type { VaultContext } from "../context.ts";
import type { CredentialTable } from "#db";

/** The provider and our client there. Stored in plain text, so it contains no secret. */
export type ConnectionSettings = {
  grantType: CreateConnectionInput["grantType"];
  /** From the metadata of the provider; null for one without metadata. */
  issuer: string | null;
  /** Whether its callbacks have the `iss` parameter (RFC 9207). */
  namesIssuer: boolean;
  authorizationUrl: string | null;
  tokenUrl: string;
  revocationUrl: string | null;
  clientId: string;
  /** The redirect URI of a client that the service registered itself; null if a person entered the client. */
  registeredFor: string | null;
  /** In Unix milliseconds: from then on, the service registers its client again. Null if it does not expire. */
  clientExpiresAt: number | null;
  authMethod: NonNullable<CreateConnectionInput["tokenEndpointAuthMethod"]>;
  scopes: readonly string[];
  /** The granted scopes; null when the provider did not state them. */
  grantedScopes: readonly string[] | null;
  audience: string | null;
  resource: string | null;
  /** The URL of the server whose metadata named the issuer (RFC 9728); null if a person named the provider. */
  serverUrl: string | null;
  authorizationParameters: Readonly<Record<string, string>>;
};

/** The secrets of a connection, encrypted in the row of the credential. */
export type ConnectionSecrets = {
  clientSecret?: string | undefined;
  accessToken?: string | undefined;
  refreshToken?: string | undefined;
};

/** The tokens of a response. */
export type Tokens = {
  accessToken: string;
  refreshToken: string | undefined;
  /** In Unix milliseconds; null when the provider does not state it. */
  expiresAt: number | null;
  scopes: readonly string[] | null;
};

/** The columns of a credential that only connections use. */
export type ConnectionColumns = Pick<
  CredentialTable,
  | "kind"
  | "status"
  | "problem"
  | "connection"
  | "expires_at"
  | "refresh_at"
  | "revision"
  | "refresh_claim"
  | "refresh_until"
  | "refresh_failures"
>;

/** Their values for a credential that is not a connection. */
export const noConnection: ConnectionColumns = {
  kind: "value",
  status: "ready",
  problem: null,
  connection: null,
  expires_at: null,
  refresh_at: null,
  revision: 0,
  refresh_claim: null,
  refresh_until: null,
  refresh_failures: 0,
};

const earliestRefreshMs = 300_000;

/**
 * When a token is due for renewal: five minutes before it expires, or after nine tenths of a short life. A token that
 * cannot be renewed is used until it expires.
 */
export function refreshTime(
  now: number,
  { expiresAt }: Pick<Tokens, "expiresAt">,
  isRenewable: boolean,
): number | null {
  if (expiresAt === null || !isRenewable) return expiresAt;
  return expiresAt - Math.round(Math.min(earliestRefreshMs, (expiresAt - now) / 10));
}

export function settingsOf({
  connection,
}: Pick<CredentialTable, "connection">): ConnectionSettings {
  if (connection === null) throw new Error("The credential is not a connection");
  return { ...formerDefaults, ...(JSON.parse(connection) as ConnectionSettings) };
}

/** For connections that were stored before the service registered clients itself. */
const formerDefaults = { registeredFor: null, clientExpiresAt: null, serverUrl: null } as const;

/** Throws when the row was altered or was encrypted with another key. */
export function secretsOf(
  context: Pick<VaultContext, "envelopes">,
  row: Pick<CredentialTable, "id" | "sealed_value" | "wrapped_key" | "key_id">,
): ConnectionSecrets {
  const { sealed_value: sealedValue, wrapped_key: wrappedKey, key_id: keyId } = row;
  return JSON.parse(
    context.envelopes.open({ sealedValue, wrappedKey, keyId }, row.id),
  ) as ConnectionSecrets;
}

/** The columns with the encrypted secrets. */
export function sealSecrets(
  context: Pick<VaultContext, "envelopes">,
  id: string,
  secrets: ConnectionSecrets,
): Pick<CredentialTable, "sealed_value" | "wrapped_key" | "key_id"> {
  const { sealedValue, wrappedKey, keyId } = context.envelopes.seal(JSON.stringify(secrets), id);
  return { sealed_value: sealedValue, wrapped_key: wrappedKey, key_id: keyId };
}
