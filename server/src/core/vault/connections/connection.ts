import type { CreateConnectionInput } from "@toolhost/contract";
import type { VaultContext } from "../context.ts";
import type { CredentialTable } from "#db";

/** What is known of a provider and of our client there. Kept as it is, so it holds nothing secret. */
export type ConnectionSettings = {
  grantType: CreateConnectionInput["grantType"];
  /** As it stands in the provider's metadata; null for one that has none. */
  issuer: string | null;
  /** Whether the provider says that its answers name it (RFC 9207). */
  namesIssuer: boolean;
  authorizationUrl: string | null;
  tokenUrl: string;
  revocationUrl: string | null;
  clientId: string;
  authMethod: NonNullable<CreateConnectionInput["tokenEndpointAuthMethod"]>;
  scopes: readonly string[];
  /** What the provider said it granted; null when it said nothing. */
  grantedScopes: readonly string[] | null;
  audience: string | null;
  resource: string | null;
  authorizationParameters: Readonly<Record<string, string>>;
};

/** What of a connection is secret, encrypted in the credential's row. */
export type ConnectionSecrets = {
  clientSecret?: string | undefined;
  accessToken?: string | undefined;
  refreshToken?: string | undefined;
};

/** What a provider gave. */
export type Tokens = {
  accessToken: string;
  refreshToken: string | undefined;
  /** Unix milliseconds; null when the provider does not say. */
  expiresAt: number | null;
  scopes: readonly string[] | null;
};

/** The columns of a credential that a connection fills. */
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

/** Those of a credential that is no connection. */
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
 * From when on a new token is asked for: five minutes before the end, or a tenth of the life of a short one. A
 * token that cannot be renewed is used to its end.
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
  if (connection === null) throw new Error("The credential is no connection");
  return JSON.parse(connection) as ConnectionSettings;
}

/** Throws when the row was altered or its key is another. */
export function secretsOf(
  context: Pick<VaultContext, "envelopes">,
  row: Pick<CredentialTable, "id" | "sealed_value" | "wrapped_key" | "key_id">,
): ConnectionSecrets {
  const { sealed_value: sealedValue, wrapped_key: wrappedKey, key_id: keyId } = row;
  return JSON.parse(
    context.envelopes.open({ sealedValue, wrappedKey, keyId }, row.id),
  ) as ConnectionSecrets;
}

/** The columns that hold the secrets, sealed anew for the record. */
export function sealSecrets(
  context: Pick<VaultContext, "envelopes">,
  id: string,
  secrets: ConnectionSecrets,
): Pick<CredentialTable, "sealed_value" | "wrapped_key" | "key_id"> {
  const { sealedValue, wrappedKey, keyId } = context.envelopes.seal(JSON.stringify(secrets), id);
  return { sealed_value: sealedValue, wrapped_key: wrappedKey, key_id: keyId };
}
