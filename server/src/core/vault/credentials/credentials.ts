import { declaredHostOf } from "@toolhost/contract";
import type { CreateCredentialInput, CreatedCredential, Credential } from "@toolhost/contract";
import type { Caller } from "#core/kernel";
import { auditInsert, commitWrite, lostKey, ServiceError } from "#core/kernel";
import { createConnectionAttempt } from "../connections/connection-attempt.ts";
import { createConnection } from "../connections/create-connection.ts";
import { noConnection, settingsOf } from "../connections/connection.ts";
import { revokeDeleted } from "../connections/revoke.ts";
import type { VaultContext } from "../context.ts";
import { planApproval } from "#core/catalog";
import type { CredentialTable, TransactionStep } from "#db";
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
 * Creates a credential of the caller or the workspace: a value, or a connection that the user may still have to
 * authorize in a browser. With `approve`, the same transaction approves that version of a tool, if it is still live.
 * Throws `credential_name_taken`, `forbidden` if the caller may not manage the workspace's credentials,
 * `quota_exceeded` beyond the owner's limit, and `connection_failed` or `unavailable` if the provider does.
 */
export async function createCredential(
  context: VaultContext,
  caller: Caller,
  draft: CreateCredentialInput,
): Promise<CreatedCredential> {
  const { name, owner, exposable, approve } = draft;
  if (owner === "workspace") checkMayShare(caller);
  const hosts = draft.hosts ?? hostsOf(draft.oauth2?.resource);
  const id = newId();
  const key = {
    name,
    owner_user_id: owner === "workspace" ? workspaceOwner : caller.userId,
  };
  // Before a client is registered for it.
  if (draft.oauth2 !== undefined) await assertNameFree(context, caller, key);
  const row: CredentialTable = {
    id,
    workspace_id: caller.workspaceId,
    ...key,
    hosts: JSON.stringify([...new Set(hosts)]),
    ...(await contentOf(context, caller, id, draft)),
    created_by: caller.userId,
    created_at: context.clock.now(),
    last_used_at: null,
    exposable: exposable ? 1 : 0,
  };
  // If consent at the provider is outstanding, giving it also approves the version.
  const attempt =
    row.status === "awaiting_consent"
      ? createConnectionAttempt(context, {
          ...caller,
          credentialId: id,
          settings: settingsOf(row),
          approve,
        })
      : undefined;
  const saved: Saved = { row, attempt, isApproving: approve !== undefined };
  if (approve === undefined || attempt !== undefined) {
    return (await save(context, caller, saved)) ?? (await refuse(context, caller, row));
  }
  const approval = await planApproval(context, caller, { ...approve, owner });
  const created = await save(context, caller, { ...saved, approval });
  if (created !== undefined) return created;
  // Another version may have become live in the meantime. The user did not review it, so the credential is saved
  // without an approval.
  const unapproved = approval === undefined ? undefined : await save(context, caller, saved);
  return unapproved ?? (await refuse(context, caller, row));
}

/** Tokens of a resource go to no other host, unless the caller names more. */
function hostsOf(resource: string | undefined): string[] {
  if (resource === undefined) throw new ServiceError("invalid_request", "Enter at least one host.");
  return [declaredHostOf(resource)];
}

type Saved = {
  row: CredentialTable;
  attempt: ReturnType<typeof createConnectionAttempt> | undefined;
  /** Whether the caller asked to approve a version of a tool. */
  isApproving: boolean;
  /** The steps that approve it. */
  approval?: readonly TransactionStep[] | undefined;
};

/** Undefined if the name is taken, or the approved version is no longer live. Nothing is saved then. */
async function save(
  context: VaultContext,
  caller: Caller,
  { row, attempt, isApproving, approval }: Saved,
): Promise<CreatedCredential | undefined> {
  const credential = present(row);
  const { name, owner, hosts, exposable } = credential;
  const created = {
    ...credential,
    ...(attempt === undefined ? {} : { connectUrl: attempt.connectUrl }),
    ...(isApproving && attempt === undefined ? { approved: approval !== undefined } : {}),
  };
  const details = {
    name,
    owner,
    hosts: hosts.join(" "),
    kind: row.kind,
    ...(exposable ? { exposable } : {}),
  };
  const isCreated = await commitWrite(context, caller, created, [
    ...capCredentials(context, row),
    { query: insertIfNew(context.db, row), mustChange: true },
    auditInsert(context, caller, { action: "credential.create", target: row.id, details }),
    ...(attempt?.steps ?? []),
    ...(approval ?? []),
  ]);
  return isCreated ? created : undefined;
}

/** Throws the reason why a credential was not saved. */
async function refuse(context: VaultContext, caller: Caller, row: Key): Promise<never> {
  await assertNameFree(context, caller, row);
  throw lostKey();
}

type Key = Pick<CredentialTable, "name" | "owner_user_id">;

/** Throws `credential_name_taken` if the owner has a credential of this name. */
async function assertNameFree(
  context: VaultContext,
  caller: Caller,
  { name, owner_user_id: ownerId }: Key,
): Promise<void> {
  const taken = await findByNames(context.db, caller, [name]);
  if (!taken.some((other) => other.owner_user_id === ownerId)) return;
  const whose = ownerId === workspaceOwner ? "The workspace already has" : "You already have";
  throw new ServiceError(
    "credential_name_taken",
    `${whose} a credential named ${name}. Update or delete it, or choose another name.`,
  );
}

/** The columns with the encrypted secret and its state. */
async function contentOf(
  context: VaultContext,
  { workspaceId }: Caller,
  id: string,
  { value, oauth2 }: CreateCredentialInput,
) {
  if (oauth2 !== undefined) return createConnection(context, { id, workspaceId }, oauth2);
  if (value === undefined) throw new ServiceError("invalid_request", "Send a value or oauth2.");
  const { sealedValue, wrappedKey, keyId } = context.envelopes.seal(value, id);
  const sealed = { sealed_value: sealedValue, wrapped_key: wrappedKey, key_id: keyId };
  return { ...noConnection, ...sealed };
}

/** The caller's own credentials and the workspace's, newest first, without their values. */
export async function listCredentials(
  context: VaultContext,
  caller: Caller,
  page: { limit: number; after: string | undefined },
): Promise<Credential[]> {
  return (await listCredentialRows(context.db, caller, page)).map(present);
}

/**
 * Deletes the caller's own credential of a name, or else the workspace's, unless `owner` selects one. No run gets it
 * from then on, and the tokens of a connection are revoked afterwards. Throws `not_found`, and `forbidden` if the
 * caller may not manage the workspace's credentials.
 */
export async function deleteCredential(
  context: VaultContext,
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
    // Its tokens were renewed concurrently, so that the new tokens have to be revoked.
    seen = row;
  }
}
