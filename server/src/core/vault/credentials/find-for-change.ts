import type { Credential } from "@toolhost/contract";
import type { Caller } from "#core/kernel";
import type { VaultContext } from "../context.ts";
import { notFound } from "#core/kernel";
import type { CredentialTable } from "#db";
import { findByNames } from "./credential-store.ts";
import { checkMayShare, ownerOf } from "./present-credential.ts";

/**
 * The caller's own credential of a name, or else the workspace's, unless `owner` selects one. Throws `not_found`, and
 * `forbidden` if the caller may not manage the workspace's credentials.
 */
export async function findForChange(
  context: VaultContext,
  caller: Caller,
  name: string,
  owner: Credential["owner"] | undefined,
): Promise<CredentialTable> {
  const found = (await findByNames(context.db, caller, [name])).filter(
    (row) => owner === undefined || ownerOf(row) === owner,
  );
  const row = found.find((one) => ownerOf(one) === "user") ?? found[0];
  if (row === undefined) throw notFound("not_found", "credential", { name });
  if (ownerOf(row) === "workspace") checkMayShare(caller);
  return row;
}
