import type { Credential } from "@toolhost/contract";
import { mayDo, ServiceError } from "#core/kernel";
import type { Caller } from "#core/kernel";
import { settingsOf } from "../connections/connection.ts";
import type { CredentialTable } from "#db";
import { toTimestamp, toTimestampOrNull } from "#lib/clock";
import { workspaceOwner } from "./credential-store.ts";

/** Throws `forbidden` if the caller may not manage the workspace's credentials. */
export function checkMayShare({ role }: Caller): void {
  if (mayDo(role, "credentials:share")) return;
  throw new ServiceError(
    "forbidden",
    "Only owners and admins manage the workspace's credentials. Add a credential of your own instead.",
  );
}

export function ownerOf(row: CredentialTable): Credential["owner"] {
  return row.owner_user_id === workspaceOwner ? "workspace" : "user";
}

/** A credential as the API returns it, without its secrets. */
export function present(row: CredentialTable): Credential {
  const settings = row.kind === "oauth2" ? settingsOf(row) : undefined;
  return {
    id: row.id,
    name: row.name,
    owner: ownerOf(row),
    hosts: JSON.parse(row.hosts) as string[],
    exposable: row.exposable === 1,
    kind: settings === undefined ? "value" : "oauth2",
    status: row.status as Credential["status"],
    problem: row.problem,
    resource: settings?.resource ?? null,
    scopes: settings === undefined ? null : [...(settings.grantedScopes ?? settings.scopes)],
    expiresAt: toTimestampOrNull(row.expires_at),
    createdAt: toTimestamp(row.created_at),
    createdBy: row.created_by,
    lastUsedAt: toTimestampOrNull(row.last_used_at),
  };
}
