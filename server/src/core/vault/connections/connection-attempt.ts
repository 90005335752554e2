import { createAttempt } from "#core/oauth-client";
import type { ConnectionAttemptTable, TransactionStep } from "#db";
import type { VaultContext } from "../context.ts";
import type { ConnectionSettings } from "./connection.ts";

/** The version of a tool that is approved together with the connection. */
export type ApprovedVersion = { tool: string; version: number };

type Requested = {
  workspaceId: string;
  userId: string;
  credentialId: string;
  /** The connection. Its URL leads to a page first if the provider is not the server that gets the token. */
  settings?: Pick<ConnectionSettings, "authorizationUrl" | "serverUrl"> | undefined;
  approve?: ApprovedVersion | undefined;
};

/** A link that connects a credential, and the steps that store its attempt. */
export function createConnectionAttempt(
  context: Pick<VaultContext, "config" | "db" | "clock">,
  { workspaceId, userId, credentialId, settings, approve }: Requested,
): { connectUrl: string; steps: TransactionStep[] } {
  const { ticket, steps } = createAttempt(context, "connection_attempts", {
    workspace_id: workspaceId,
    credential_id: credentialId,
    user_id: userId,
    approves: approve === undefined ? null : JSON.stringify(approve),
  });
  const isShownFirst = settings !== undefined && isElsewhere(settings);
  return { connectUrl: attemptUrl(context, ticket) + (isShownFirst ? "?ask" : ""), steps };
}

/**
 * A server can name another provider as its own, to get tokens for that. The page shows who gets the token
 * and who issues it.
 */
function isElsewhere({
  authorizationUrl,
  serverUrl,
}: Pick<ConnectionSettings, "authorizationUrl" | "serverUrl">): boolean {
  if (authorizationUrl === null || serverUrl === null) return false;
  return new URL(authorizationUrl).host !== new URL(serverUrl).host;
}

export function attemptUrl({ config }: Pick<VaultContext, "config">, ticket: string): string {
  return `${config.baseUrl}/oauth2/connect/${encodeURIComponent(ticket)}`;
}

/** The version that an attempt approves when it succeeds. */
export function approvedBy({
  approves,
}: Pick<ConnectionAttemptTable, "approves">): ApprovedVersion | undefined {
  return approves === null ? undefined : (JSON.parse(approves) as ApprovedVersion);
}

/** The redirect URI that is registered at the provider. */
export function callbackUrl({ config }: Pick<VaultContext, "config">): string {
  return `${config.baseUrl}/oauth2/callback`;
}
