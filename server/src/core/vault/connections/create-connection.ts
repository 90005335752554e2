import type { CreateConnectionInput } from "@toolhost/contract";
import { ProviderError, toServiceError } from "#core/oauth-client";
import type { VaultContext } from "../context.ts";
import type { CredentialTable } from "#db";
import { secretsOf, settingsOf } from "./connection.ts";
import { updateConnection } from "./connection-store.ts";
import { withoutTokens, tokenColumns } from "./token-columns.ts";
import { requestClientToken } from "./provider.ts";
import { resolveSettings } from "./resolve-settings.ts";

type ConnectionRef = { id: string; workspaceId: string };
type Columns = ReturnType<typeof tokenColumns>;

/**
 * The columns of a new connection. With client credentials, the first token is requested here, so that a wrong secret
 * fails immediately. Throws `connection_failed`, `unavailable`, `invalid_request`.
 */
export async function createConnection(
  context: VaultContext,
  { id, workspaceId }: ConnectionRef,
  draft: CreateConnectionInput,
): Promise<Columns> {
  return explained(async () => {
    const { settings, clientSecret } = await resolveSettings(context, workspaceId, draft);
    const secrets = { clientSecret };
    const at = { id, revision: 0 };
    if (settings.grantType === "authorization_code") {
      const state = { status: "awaiting_consent", problem: null } as const;
      return withoutTokens(context, at, { settings, secrets }, state);
    }
    const tokens = await requestClientToken(context, { workspaceId, settings, secrets });
    return tokenColumns(context, at, { settings, secrets }, tokens);
  });
}

/**
 * Requests a new token with client credentials, after the provider rejected an earlier request. The step rolls back if
 * the connection was changed concurrently. Throws as `createConnection`.
 */
export async function requestTokenAgain(context: VaultContext, row: CredentialTable) {
  const settings = settingsOf(row);
  const secrets = secretsOf(context, row);
  const party = { workspaceId: row.workspace_id, settings, secrets };
  const tokens = await explained(() => requestClientToken(context, party));
  const columns = tokenColumns(context, row, { settings, secrets }, tokens);
  return { columns, step: updateConnection(context.db, row, columns) };
}

async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ProviderError ? toServiceError(error) : error;
  }
}
