import { createHash } from "node:crypto";
import type { ToolApprovals } from "@toolhost/contract";
import { getApprovals } from "#core/catalog";
import type { VaultContext } from "../context.ts";
import { ServiceError } from "#core/kernel";
import type { ConnectionAttemptTable, CredentialTable } from "#db";
import { sha256 } from "#lib/hash";
import { isId, randomToken } from "#lib/ids";
import type { Caller } from "#core/kernel";
import { approvedBy, beginAttempt } from "./begin-attempt.ts";
import type { ApprovedVersion } from "./begin-attempt.ts";
import { settingsOf } from "./connection.ts";
import type { ConnectionSettings } from "./connection.ts";
import {
  findAttempt,
  findConnection,
  findConnectionAnywhere,
  setAttemptState,
} from "./connection-store.ts";
import { identifyVisitor } from "./visitor.ts";
import type { Visit } from "./visitor.ts";

/** What a person is told before they go. */
export type Offer = {
  name: string;
  isShared: boolean;
  hosts: readonly string[];
  /** Where they will be asked. */
  providerHost: string;
  connectUrl: string;
  /** The version of a tool that connecting approves as well, and what it asks for. */
  approval: ToolApprovals | undefined;
};

/** Where a browser goes next, and the secret that it has to bring back as a cookie. */
export type Departure = { location: string; browserSecret: string; cookieSuffix: string };

/** The address that the provider sends browsers back to: what is registered there. */
export function callbackUrl({ config }: Pick<VaultContext, "config">): string {
  return `${config.baseUrl}/oauth2/callback`;
}

/**
 * The address that lasts, where a person is offered to connect a credential; with the version of a tool, connecting
 * there approves that as well.
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
 * Offers to connect a credential, to a person who came by its lasting address. Another page may lead them
 * there, so they go on only by a link of ours. Throws `unauthenticated`, `not_found`, `forbidden`.
 */
export async function offerConnection(
  context: VaultContext,
  visit: Visit,
  { credentialId, tool }: { credentialId: string; tool: string | undefined },
): Promise<Offer> {
  const row = isId(credentialId)
    ? await findConnectionAnywhere(context.db, credentialId)
    : undefined;
  if (row === undefined) throw gone();
  const caller = await identifyVisitor(context, visit, row);
  const approval = tool === undefined ? undefined : await getApprovals(context, caller, tool);
  const approve = approval && { tool: approval.tool.name, version: approval.version };
  const { connectUrl, steps } = beginAttempt(context, { ...caller, credentialId, approve });
  const offer = { ...describe(row, connectUrl), approval };
  await context.db.transact(steps);
  return offer;
}

/** The same for the address of an attempt that goes on. */
export async function offerAttempt(
  context: VaultContext,
  visit: Visit,
  ticket: string,
): Promise<Offer> {
  const { attempt, row, caller } = await findOwnAttempt(context, visit, ticket);
  const connectUrl = `${context.config.baseUrl}/oauth2/connect/${encodeURIComponent(ticket)}`;
  const approve = approvedBy(attempt);
  const shown = approve && (await getApprovals(context, caller, approve.tool));
  // Of another version nothing will be approved.
  const approval = shown?.version === approve?.version ? shown : undefined;
  return { ...describe(row, connectUrl), approval };
}

/**
 * Sends the browser of the person who began to the provider, with PKCE and a state that works once. To begin
 * again makes what was begun before worthless. Throws `unauthenticated`, `not_found`, `forbidden`.
 */
export async function goToProvider(
  context: VaultContext,
  visit: Visit,
  ticket: string,
): Promise<Departure> {
  const { attempt, row } = await findOwnAttempt(context, visit, ticket);
  const state = randomToken();
  const browserSecret = randomToken();
  const hashes = { state_hash: sha256(state), browser_hash: sha256(browserSecret) };
  const query = setAttemptState(context.db, attempt, hashes);
  if (!(await context.db.transact([{ query, mustChange: true }]))) throw gone();
  return {
    location: authorizationRequest(context, settingsOf(row), state, codeVerifierOf(browserSecret)),
    browserSecret,
    cookieSuffix: cookieSuffixOf(state),
  };
}

/** The code verifier of RFC 7636. It follows from what only the browser has, so the database need not keep it. */
export function codeVerifierOf(browserSecret: string): string {
  return sha256(`code verifier ${browserSecret}`);
}

/** Tells the cookies of several attempts in one browser apart. */
export function cookieSuffixOf(state: string): string {
  return sha256(state).slice(0, 12);
}

async function findOwnAttempt(
  context: VaultContext,
  visit: Visit,
  ticket: string,
): Promise<{ attempt: ConnectionAttemptTable; row: CredentialTable; caller: Caller }> {
  const attempt = await findAttempt(context.db, "ticket_hash", sha256(ticket));
  if (attempt === undefined || attempt.expires_at <= context.clock.now()) throw gone();
  const { credential_id: id, workspace_id } = attempt;
  const row = await findConnection(context.db, { id, workspace_id });
  if (row === undefined) throw gone();
  const caller = await identifyVisitor(context, visit, row);
  if (caller.userId !== attempt.user_id) {
    throw new ServiceError("forbidden", "Somebody else asked for this connection.");
  }
  return { attempt, row, caller };
}

function authorizationRequest(
  context: VaultContext,
  settings: ConnectionSettings,
  state: string,
  codeVerifier: string,
): string {
  const { authorizationUrl, authorizationParameters, clientId, scopes, audience, resource } =
    settings;
  if (authorizationUrl === null) throw gone();
  const url = new URL(authorizationUrl);
  const parameters = {
    ...authorizationParameters,
    response_type: "code",
    client_id: clientId,
    redirect_uri: callbackUrl(context),
    state,
    code_challenge: createHash("sha256").update(codeVerifier).digest("base64url"),
    code_challenge_method: "S256",
    ...(scopes.length === 0 ? {} : { scope: scopes.join(" ") }),
    ...(audience === null ? {} : { audience }),
    ...(resource === null ? {} : { resource }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

function describe(row: CredentialTable, connectUrl: string) {
  const { authorizationUrl } = settingsOf(row);
  if (authorizationUrl === null) throw gone();
  return {
    name: row.name,
    isShared: row.owner_user_id === "",
    hosts: JSON.parse(row.hosts) as string[],
    providerHost: new URL(authorizationUrl).host,
    connectUrl,
  };
}

function gone(): ServiceError {
  return new ServiceError(
    "not_found",
    "This address is not good any more, or never was. Ask for a new one; it works for ten minutes.",
  );
}
