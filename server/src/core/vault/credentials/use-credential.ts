import { declaredHostOf } from "@toolhost/contract";
import { isHostDeclared } from "@toolhost/sandbox";
import { mayDo, ServiceError } from "#core/kernel";
import type { Caller } from "#core/kernel";
import type { CredentialTable } from "#db";
import { connectAddress } from "../connections/offer-connection.ts";
import { settingsOf } from "../connections/connection.ts";
import { freshen } from "../connections/freshen.ts";
import type { SentToken } from "../connections/report-refusal.ts";
import type { VaultContext } from "../context.ts";
import { findByNames } from "./credential-store.ts";
import { openValue } from "./open-value.ts";
import { ownerOf } from "./present-credential.ts";

/** A credential that the service itself wants to send to one URL, not as part of a run. */
export type CredentialUse = {
  name: string;
  /** The request's URL. The credential must allow its host. */
  url: string;
  /** Precedes the value in the header. `Bearer ` unless it is set; empty for an API key. */
  prefix?: string | undefined;
};

/** What the service can send, or why it can send nothing. */
export type UsableCredential =
  | {
      status: "ready";
      /** The value of the header, `Authorization` unless the server wants another. It must not be logged. */
      headerValue: string;
      /** For `reportRefusal`. */
      sent: SentToken;
      /** The MCP server at which users sign in to get this credential; undefined for any other. */
      resource: string | undefined;
    }
  /** The caller has none of this name, and may not use the workspace's. */
  | { status: "missing" }
  /** A person has to sign in at the provider, on the page at `connectUrl` if there is one. */
  | { status: "awaiting_consent" | "needs_reconnect"; connectUrl: string | undefined };

/**
 * The value of a header with which the service itself sends a credential to one URL: the caller's own credential of the
 * name, or the workspace's if the caller may manage it. An expired token is renewed first. Throws `forbidden` without
 * the right to credentials, `invalid_request` if the credential may not be sent to the URL's host, and `unavailable`
 * while its provider does not respond.
 */
export async function useCredential(
  context: VaultContext,
  caller: Caller,
  { name, url, prefix = "Bearer " }: CredentialUse,
): Promise<UsableCredential> {
  if (!caller.scopes.has("credentials:write")) {
    throw new ServiceError(
      "forbidden",
      "Your key may not use credentials. Use one with the scope credentials:write.",
    );
  }
  const found = await findUsable(context, caller, name);
  if (found === undefined) return { status: "missing" };
  if (!isHostDeclared(JSON.parse(found.hosts) as string[], url)) {
    const host = declaredHostOf(url);
    throw new ServiceError(
      "invalid_request",
      `${name} may not be sent to ${host}. Add the host to the credential, or use another one.`,
    );
  }
  const row = await freshen(context, found);
  if (row === undefined) return { status: "missing" };
  if (row.status !== "ready") {
    const isByPerson = settingsOf(row).grantType === "authorization_code";
    const status = row.status === "awaiting_consent" ? row.status : "needs_reconnect";
    const connectUrl = connectAddress(context.config.baseUrl, row.id);
    return { status, connectUrl: isByPerson ? connectUrl : undefined };
  }
  context.lastUsed.note("credentials", row.id, context.clock.now());
  const { id, workspace_id: workspaceId, revision } = row;
  const headerValue = prefix + openValue(context, row);
  const resource = row.connection === null ? undefined : (settingsOf(row).serverUrl ?? undefined);
  return { status: "ready", headerValue, sent: { id, workspaceId, revision }, resource };
}

async function findUsable(
  { db }: VaultContext,
  caller: Caller,
  name: string,
): Promise<CredentialTable | undefined> {
  const rows = await findByNames(db, caller, [name]);
  const mayShare = mayDo(caller.role, "credentials:share");
  const shared = mayShare ? rows.find((row) => ownerOf(row) === "workspace") : undefined;
  return rows.find((row) => ownerOf(row) === "user") ?? shared;
}

/** What the definition of a tool declares to send a credential to one URL as a bearer token. */
export type BearerDeclaration = {
  /** With the URL at which users without the credential sign in. */
  credentials: { name: string; description: string; hosts: string[]; resource: string }[];
  allowedHosts: string[];
  /** The header that the tool's code sends: `prefix + ctx.credentials[name]`. */
  header: { name: string; header: "authorization"; prefix: "Bearer " };
};

/** Declares a credential in the definition of a tool that calls one MCP server. */
export function declareBearer(name: string, url: string): BearerDeclaration {
  const host = declaredHostOf(url);
  return {
    credentials: [
      { name, description: `Access to ${new URL(url).host}`, hosts: [host], resource: url },
    ],
    allowedHosts: [host],
    header: { name, header: "authorization", prefix: "Bearer " },
  };
}
