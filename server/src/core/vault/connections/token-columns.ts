import type { VaultContext } from "../context.ts";
import type { CredentialTable } from "#db";
import { refreshTime, sealSecrets } from "./connection.ts";
import type {
  ConnectionColumns,
  ConnectionSecrets,
  ConnectionSettings,
  Tokens,
} from "./connection.ts";

type StoredColumns = ConnectionColumns &
  Pick<CredentialTable, "sealed_value" | "wrapped_key" | "key_id">;

/** The columns of a connection with new tokens. Without a new refresh token, the old one stays valid. */
export function tokenColumns(
  context: VaultContext,
  { id, revision }: Pick<CredentialTable, "id" | "revision">,
  known: { settings: ConnectionSettings; secrets: ConnectionSecrets },
  tokens: Tokens,
): StoredColumns {
  const { settings, secrets } = known;
  const refreshToken = tokens.refreshToken ?? secrets.refreshToken;
  const grantedScopes = tokens.scopes ?? settings.grantedScopes;
  const isRenewable = settings.grantType === "client_credentials" || refreshToken !== undefined;
  return {
    ...sealSecrets(context, id, { ...secrets, accessToken: tokens.accessToken, refreshToken }),
    kind: "oauth2",
    status: "ready",
    problem: null,
    connection: JSON.stringify({ ...settings, grantedScopes }),
    expires_at: tokens.expiresAt,
    refresh_at: refreshTime(context.clock.now(), tokens, isRenewable),
    revision: revision + 1,
    refresh_claim: null,
    refresh_until: null,
    refresh_failures: 0,
  };
}

/** The columns of a connection that cannot be used until someone consents at the provider again. */
export function withoutTokens(
  context: VaultContext,
  { id, revision }: Pick<CredentialTable, "id" | "revision">,
  known: { settings: ConnectionSettings; secrets: ConnectionSecrets },
  state: { status: "awaiting_consent" | "needs_reconnect"; problem: string | null },
): StoredColumns {
  const { clientSecret } = known.secrets;
  return {
    ...sealSecrets(context, id, { clientSecret }),
    ...state,
    kind: "oauth2",
    connection: JSON.stringify(known.settings),
    expires_at: null,
    refresh_at: null,
    revision: revision + 1,
    refresh_claim: null,
    refresh_until: null,
    refresh_failures: 0,
  };
}
