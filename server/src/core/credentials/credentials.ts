import type { Credential, CredentialDraft } from "@toolhost/contract";
import type { Caller } from "#core/access";
import { auditInsert } from "#core/audit";
import type { Context } from "#core/context";
import { ServiceError } from "#core/errors";
import { commitWrite, lostKey } from "#core/idempotency";
import type { CredentialTable } from "#db";
import { toTimestamp, toTimestampOrNull } from "#lib/clock";
import { newId } from "#lib/ids";
import {
  deleteCredentialRow,
  findByNames,
  insertIfNew,
  listCredentialRows,
  workspaceOwner,
} from "./credential-store.ts";

/**
 * Keeps a secret for the caller or the workspace. Throws `credential_name_taken`, and `forbidden` for a
 * workspace's by somebody who does not administer it.
 */
export async function createCredential(
  context: Context,
  caller: Caller,
  { name, value, owner, hosts }: CredentialDraft,
): Promise<Credential> {
  if (owner === "workspace") checkMayShare(caller);
  const id = newId();
  const { sealedValue, wrappedKey, keyId } = context.envelopes.seal(value, id);
  const row: CredentialTable = {
    id,
    workspace_id: caller.workspaceId,
    owner_user_id: owner === "workspace" ? workspaceOwner : caller.userId,
    name,
    hosts: JSON.stringify([...new Set(hosts)]),
    sealed_value: sealedValue,
    wrapped_key: wrappedKey,
    key_id: keyId,
    created_by: caller.userId,
    created_at: context.clock.now(),
    last_used_at: null,
  };
  const created = present(row);
  const details = { name, owner, hosts: hosts.join(" ") };
  const isCreated = await commitWrite(context, caller, created, [
    { query: insertIfNew(context.db, row), mustChange: true },
    auditInsert(context, caller, { action: "credential.create", target: id, details }),
  ]);
  if (isCreated) return created;
  const taken = await findByNames(context.db, caller, [name]);
  if (!taken.some((other) => other.owner_user_id === row.owner_user_id)) throw lostKey();
  const whose = owner === "workspace" ? "The workspace has" : "You have";
  throw new ServiceError(
    "credential_name_taken",
    `${whose} a credential ${name} already. Delete it first, or choose another name.`,
  );
}

/** The caller's own credentials and the workspace's, newest first, without their values. */
export async function listCredentials(
  context: Context,
  caller: Caller,
  page: { limit: number; after: string | undefined },
): Promise<Credential[]> {
  return (await listCredentialRows(context.db, caller, page)).map(present);
}

/**
 * Deletes the caller's own credential of a name, or else the workspace's; `owner` says which. No run gets it
 * from then on. Throws `not_found`, and `forbidden` for a workspace's by somebody who does not administer it.
 */
export async function deleteCredential(
  context: Context,
  caller: Caller,
  name: string,
  owner: Credential["owner"] | undefined,
): Promise<void> {
  const found = (await findByNames(context.db, caller, [name])).filter(
    (row) => owner === undefined || ownerOf(row) === owner,
  );
  const row = found.find((one) => ownerOf(one) === "user") ?? found[0];
  if (row === undefined) {
    throw new ServiceError("not_found", "There is no credential of this name that you may see.");
  }
  if (ownerOf(row) === "workspace") checkMayShare(caller);
  const details = { name, owner: ownerOf(row) };
  const isDeleted = await commitWrite(context, caller, null, [
    { query: deleteCredentialRow(context.db, row), mustChange: true },
    auditInsert(context, caller, { action: "credential.delete", target: row.id, details }),
  ]);
  if (!isDeleted) throw new ServiceError("not_found", "The credential has just been deleted.");
}

function checkMayShare({ role }: Caller): void {
  if (role === "owner" || role === "admin") return;
  throw new ServiceError(
    "forbidden",
    "Only owners and admins manage the workspace's credentials. Keep one of your own instead.",
  );
}

function ownerOf(row: CredentialTable): Credential["owner"] {
  return row.owner_user_id === workspaceOwner ? "workspace" : "user";
}

function present(row: CredentialTable): Credential {
  return {
    id: row.id,
    name: row.name,
    owner: ownerOf(row),
    hosts: JSON.parse(row.hosts) as string[],
    createdAt: toTimestamp(row.created_at),
    createdBy: row.created_by,
    lastUsedAt: toTimestampOrNull(row.last_used_at),
  };
}
