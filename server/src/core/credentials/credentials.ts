import type { CreatedCredential, Credential, CredentialDraft } from "@toolhost/contract";
import type { Caller } from "#core/access";
import { auditInsert } from "#core/audit";
import { beginAttempt, createConnection, noConnection, revokeDeleted } from "#core/connections";
import type { Context } from "#core/context";
import { ServiceError } from "#core/errors";
import { commitWrite, lostKey } from "#core/idempotency";
import type { CredentialTable } from "#db";
import { newId } from "#lib/ids";
import {
  capCredentials,
  deleteCredentialRow,
  findByNames,
  insertIfNew,
  listCredentialRows,
  workspaceOwner,
} from "./credential-store.ts";
import { findForChange } from "./find-for-change.ts";
import { checkMayShare, ownerOf, present } from "./present-credential.ts";

/**
 * Keeps a secret for the caller or the workspace: a value, or a connection that may have to be agreed to in a
 * browser first. Throws `credential_name_taken`, `forbidden` for a workspace's by somebody who does not
 * administer it, and what the provider of a connection has to say: `connection_failed`, `unavailable`. Throws `quota_exceeded` beyond the owner's cap.
 */
export async function createCredential(
  context: Context,
  caller: Caller,
  draft: CredentialDraft,
): Promise<CreatedCredential> {
  const { name, owner, hosts } = draft;
  if (owner === "workspace") checkMayShare(caller);
  const id = newId();
  const row: CredentialTable = {
    id,
    workspace_id: caller.workspaceId,
    owner_user_id: owner === "workspace" ? workspaceOwner : caller.userId,
    name,
    hosts: JSON.stringify([...new Set(hosts)]),
    ...(await contentOf(context, caller, id, draft)),
    created_by: caller.userId,
    created_at: context.clock.now(),
    last_used_at: null,
  };
  const attempt =
    row.status === "awaiting_consent"
      ? beginAttempt(context, { ...caller, credentialId: id })
      : undefined;
  const created = {
    ...present(row),
    ...(attempt === undefined ? {} : { connectUrl: attempt.connectUrl }),
  };
  const details = { name, owner, hosts: hosts.join(" "), kind: row.kind };
  const isCreated = await commitWrite(context, caller, created, [
    ...capCredentials(context, row),
    { query: insertIfNew(context.db, row), mustChange: true },
    auditInsert(context, caller, { action: "credential.create", target: id, details }),
    ...(attempt?.steps ?? []),
  ]);
  if (isCreated) return created;
  const taken = await findByNames(context.db, caller, [name]);
  if (!taken.some((other) => other.owner_user_id === row.owner_user_id)) throw lostKey();
  const whose = owner === "workspace" ? "The workspace has" : "You have";
  throw new ServiceError(
    "credential_name_taken",
    `${whose} a credential ${name} already. Replace or delete it, or choose another name.`,
  );
}

/** The secret itself, encrypted, and what is known of it. */
async function contentOf(
  context: Context,
  { workspaceId }: Caller,
  id: string,
  { value, oauth2 }: CredentialDraft,
) {
  if (oauth2 !== undefined) return createConnection(context, { id, workspaceId }, oauth2);
  if (value === undefined) throw new ServiceError("invalid_request", "A credential has a value.");
  const { sealedValue, wrappedKey, keyId } = context.envelopes.seal(value, id);
  const sealed = { sealed_value: sealedValue, wrapped_key: wrappedKey, key_id: keyId };
  return { ...noConnection, ...sealed };
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
 * from then on, and the provider of a connection is told afterwards. Throws `not_found`, and `forbidden` for a workspace's by somebody who does not administer it.
 */
export async function deleteCredential(
  context: Context,
  caller: Caller,
  name: string,
  owner: Credential["owner"] | undefined,
): Promise<void> {
  for (let seen: CredentialTable | undefined; ;) {
    const row = await findForChange(context, caller, name, owner);
    if (row.id === seen?.id && row.revision === seen.revision) throw lostKey();
    const details = { name, owner: ownerOf(row) };
    const isDeleted = await commitWrite(context, caller, null, [
      { query: deleteCredentialRow(context.db, row), mustChange: true },
      auditInsert(context, caller, { action: "credential.delete", target: row.id, details }),
    ]);
    if (isDeleted) return revokeDeleted(context, row);
    // Its tokens were renewed meanwhile: those of now are to be revoked.
    seen = row;
  }
}
