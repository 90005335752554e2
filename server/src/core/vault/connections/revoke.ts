import type { VaultContext } from "../context.ts";
import type { CredentialTable } from "#db";
import { secretsOf, settingsOf } from "./connection.ts";
import { findConnectionsOf } from "./connection-store.ts";
import { revokeToken } from "./provider.ts";
import type { Party } from "./provider.ts";

/** Revokes the tokens of a deleted credential, as far as the provider supports it. */
export function revokeDeleted(context: VaultContext, row: CredentialTable): void {
  if (row.kind !== "oauth2") return;
  try {
    const secrets = secretsOf(context, row);
    revokeInBackground(context, {
      workspaceId: row.workspace_id,
      settings: settingsOf(row),
      secrets,
    });
  } catch (error) {
    context.log.warn(
      { err: error, credentialId: row.id },
      "the tokens of a connection could not be decrypted for revocation",
    );
  }
}

/**
 * Prepares the revocation of a person's connections in a workspace, or all of it. Call the result once they are
 * deleted.
 */
export async function planRevocation(
  context: VaultContext,
  whose: { workspaceId: string; userId?: string },
): Promise<() => void> {
  const rows = await findConnectionsOf(context.db, whose);
  return () => {
    for (const row of rows) revokeDeleted(context, row);
  };
}

/** Revokes tokens in the background, the refresh token first, because that usually revokes both. */
export function revokeInBackground(context: VaultContext, party: Party): void {
  const { accessToken, refreshToken } = party.secrets;
  const work = async () => {
    if (refreshToken !== undefined) {
      await revokeToken(context, party, refreshToken, "refresh_token");
    }
    if (accessToken !== undefined) await revokeToken(context, party, accessToken, "access_token");
  };
  const done = work().catch((error: unknown) => {
    const { host } = new URL(party.settings.tokenUrl);
    const message = error instanceof Error ? error.message : "unknown";
    context.log.warn({ host, message }, "a token could not be revoked");
  });
  context.vault.revocations.add(done);
  void done.finally(() => context.vault.revocations.delete(done));
}
