import { mayDo, ServiceError } from "#core/kernel";
import type { Caller } from "#core/kernel";
import { unknownAttempt } from "#core/oauth-client";
import type { ConnectionAttemptTable, CredentialTable } from "#db";
import type { VaultContext } from "../context.ts";
import { findConnection } from "./connection-store.ts";

/** The credential of an attempt, if its initiator may still connect it. Throws `not_found`, `forbidden`. */
export async function findAttemptedCredential(
  { db }: Pick<VaultContext, "db">,
  { credential_id: id, workspace_id }: ConnectionAttemptTable,
  caller: Caller,
): Promise<CredentialTable> {
  const row = await findConnection(db, { id, workspace_id });
  if (row === undefined) throw unknownAttempt();
  assertMayConnect(caller, row);
  return row;
}

/** Throws `not_found` for another user's credential, and `forbidden` without the right to connect this one. */
export function assertMayConnect(
  caller: Caller,
  row: Pick<CredentialTable, "owner_user_id">,
): void {
  const isOwn = row.owner_user_id === caller.userId;
  const isShared = row.owner_user_id === "";
  if (!isOwn && !isShared)
    throw new ServiceError(
      "not_found",
      "The credential of this link does not exist, or you don't have access to it.",
    );
  const mayShare = mayDo(caller.role, "credentials:share");
  if (!caller.scopes.has("credentials:write") || (isShared && !mayShare)) {
    throw new ServiceError("forbidden", "You don't have permission to connect this credential.");
  }
}
