import type { Credential, CredentialReplacement } from "@toolhost/contract";
import type { Caller } from "#core/access";
import { auditInsert } from "#core/audit";
import type { Context } from "#core/context";
import { ServiceError } from "#core/errors";
import { commitWrite, lostKey } from "#core/idempotency";
import type { CredentialTable } from "#db";
import { writeValue } from "./credential-store.ts";
import { findForChange } from "./find-for-change.ts";
import { ownerOf, present } from "./present-credential.ts";

/**
 * Gives a credential another value, and other hosts if some are given: the caller's own of a name, or else the
 * workspace's. Runs that begin from then on get it; those at work keep what they have. Throws `not_found`,
 * `forbidden` for a workspace's by somebody who does not administer it, and `invalid_request` for a connection.
 */
export async function replaceCredential(
  context: Context,
  caller: Caller,
  { name, owner }: { name: string; owner: Credential["owner"] | undefined },
  { value, hosts }: CredentialReplacement,
): Promise<Credential> {
  for (let seen: CredentialTable | undefined; ;) {
    const row = await findForChange(context, caller, name, owner);
    if (row.kind !== "value") {
      throw new ServiceError(
        "invalid_request",
        `${name} is a connection, whose token is its provider's to give. Connect it again instead.`,
      );
    }
    if (row.id === seen?.id && row.revision === seen.revision) throw lostKey();
    const { sealedValue, wrappedKey, keyId } = context.envelopes.seal(value, row.id);
    const change = {
      hosts: hosts === undefined ? row.hosts : JSON.stringify([...new Set(hosts)]),
      sealed_value: sealedValue,
      wrapped_key: wrappedKey,
      key_id: keyId,
    };
    const replaced = present({ ...row, ...change });
    const details = { name, owner: ownerOf(row), hosts: replaced.hosts.join(" ") };
    const isReplaced = await commitWrite(context, caller, replaced, [
      { query: writeValue(context.db, row, change), mustChange: true },
      auditInsert(context, caller, { action: "credential.replace", target: row.id, details }),
    ]);
    if (isReplaced) return replaced;
    // Somebody else replaced or deleted it meanwhile: this one came later.
    seen = row;
  }
}
