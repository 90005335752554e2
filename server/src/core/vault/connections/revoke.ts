import type { VaultContext } from "../context.ts";
import type { CredentialTable } from "#db";
import { secretsOf, settingsOf } from "./connection.ts";
import { findConnectionsOf } from "./connection-store.ts";
import { revokeToken } from "./provider.ts";
import type { Party } from "./provider.ts";

/** Tells the provider that a deleted credential's tokens are not used any more, as far as it can. */
export function revokeDeleted(context: VaultContext, row: CredentialTable): void {
  if (row.kind !== "oauth2") return;
  try {
    const secrets = secretsOf(context, row);
    revokeBeside(context, { workspaceId: row.workspace_id, settings: settingsOf(row), secrets });
  } catch (error) {
    context.log.warn({ err: error, credentialId: row.id }, "a connection could not be revoked");
  }
}

/**
 * For when the connections of a person in a workspace, or all of it, are deleted with other things: call what it
 * answers once they are.
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

/** Ends tokens at their provider beside the caller. A provider that knows both ends them with the refresh token. */
export function revokeBeside(context: VaultContext, party: Party): void {
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
    context.log.warn({ host, message }, "a provider was not told of a deleted connection");
  });
  context.vault.revocations.add(done);
  void done.finally(() => context.vault.revocations.delete(done));
}
