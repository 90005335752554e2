import type { ToolApprovals } from "@toolhost/contract";
import { getApprovals } from "#core/catalog";
import { authenticateSession } from "#core/identity";
import { openAttempt, unknownAttempt } from "#core/oauth-client";
import type { Visit } from "#core/oauth-client";
import type { CredentialTable } from "#db";
import { isId } from "#lib/ids";
import type { VaultContext } from "../context.ts";
import { assertMayConnect, findAttemptedCredential } from "./assert-may-connect.ts";
import { approvedBy, attemptUrl, createConnectionAttempt } from "./connection-attempt.ts";
import type { ApprovedVersion } from "./connection-attempt.ts";
import { settingsOf } from "./connection.ts";
import { findConnectionAnywhere } from "./connection-store.ts";

/** What a user sees before the redirect to the provider. */
export type Offer = {
  name: string;
  isShared: boolean;
  hosts: readonly string[];
  providerHost: string;
  connectUrl: string;
  /** The version of a tool that connecting also approves, with its requested access. */
  approval: ToolApprovals | undefined;
};

/**
 * The permanent address of the page that offers to connect a credential. With the version of a tool, connecting there
 * also approves that version.
 */
export function connectAddress(
  baseUrl: string,
  credentialId: string,
  approve?: ApprovedVersion,
): string {
  const query = new URLSearchParams({ credential: credentialId });
  if (approve !== undefined) {
    query.set("tool", approve.tool);
    query.set("version", String(approve.version));
  }
  return `${baseUrl}/oauth2/connect?${query.toString()}`;
}

/**
 * Offers to connect a credential at its permanent address. Any site may link to that address, so the redirect to the
 * provider takes a click on our page. Throws `unauthenticated`, `not_found`, `forbidden`.
 */
export async function offerConnection(
  context: VaultContext,
  { headers, origin }: Visit,
  { credentialId, tool }: { credentialId: string; tool: string | undefined },
): Promise<Offer> {
  const row = isId(credentialId)
    ? await findConnectionAnywhere(context.db, credentialId)
    : undefined;
  if (row === undefined) throw unknownAttempt();
  const caller = await authenticateSession(context, headers, row.workspace_id, origin);
  assertMayConnect(caller, row);
  const approval = tool === undefined ? undefined : await getApprovals(context, caller, tool);
  const approve = approval && { tool: approval.tool.name, version: approval.version };
  const attempt = createConnectionAttempt(context, { ...caller, credentialId, approve });
  const offer = { ...describe(row, attempt.connectUrl), approval };
  await context.db.transact(attempt.steps);
  return offer;
}

/** The same offer for an attempt that exists already. */
export async function offerAttempt(
  context: VaultContext,
  visit: Visit,
  ticket: string,
): Promise<Offer> {
  const { attempt, caller } = await openAttempt(context, "connection_attempts", visit, ticket);
  const row = await findAttemptedCredential(context, attempt, caller);
  const approve = approvedBy(attempt);
  const shown = approve && (await getApprovals(context, caller, approve.tool));
  // Connecting does not approve a version that has been published since.
  const approval = shown?.version === approve?.version ? shown : undefined;
  return { ...describe(row, attemptUrl(context, ticket)), approval };
}

function describe(row: CredentialTable, connectUrl: string) {
  const { authorizationUrl } = settingsOf(row);
  if (authorizationUrl === null) throw unknownAttempt();
  return {
    name: row.name,
    isShared: row.owner_user_id === "",
    hosts: JSON.parse(row.hosts) as string[],
    providerHost: new URL(authorizationUrl).host,
    connectUrl,
  };
}
