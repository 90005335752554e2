import type { Credential, ReplaceCredentialInput } from "@toolhost/contract";
import type { Caller } from "#core/kernel";
import { auditInsert, commitWrite, lostKey, ServiceError } from "#core/kernel";
import type { VaultContext } from "../context.ts";
import type { CredentialTable, TransactionStep } from "#db";
import { writeChange } from "./credential-store.ts";
import { findForChange } from "./find-for-change.ts";
import { present } from "./present-credential.ts";

type Writing = Pick<VaultContext, "db" | "clock" | "envelopes">;

/**
 * Changes the value, the hosts or the exposure of a credential: the caller's own of a name, or else the workspace's. It
 * applies to runs that start afterwards; running ones are not affected. Throws `not_found`, `forbidden` if the caller
 * may not manage the workspace's credentials, and `invalid_request` for the value of a connection.
 */
export async function replaceCredential(
  context: VaultContext,
  caller: Caller,
  { name, owner }: { name: string; owner: Credential["owner"] | undefined },
  change: ReplaceCredentialInput,
): Promise<Credential> {
  for (let seen: CredentialTable | undefined; ;) {
    const row = await findForChange(context, caller, name, owner);
    if (row.kind !== "value" && change.value !== undefined) {
      throw new ServiceError(
        "invalid_request",
        `${name} is a connection, so its token comes from the provider. Reconnect it instead.`,
      );
    }
    if (row.id === seen?.id && row.revision === seen.revision) throw lostKey();
    const { replaced, steps } = changeSteps(context, caller, row, change);
    if (await commitWrite(context, caller, replaced, steps)) return replaced;
    // It was changed or deleted concurrently, and this change follows that one.
    seen = row;
  }
}

/**
 * A credential after a change, and the steps of the change. They roll back if the credential was changed since it was
 * read.
 */
export function changeSteps(
  context: Writing,
  caller: Caller,
  row: CredentialTable,
  change: ReplaceCredentialInput,
): { replaced: Credential; steps: TransactionStep[] } {
  const changed = changedColumns(context, row, change);
  const replaced = present({ ...row, ...changed });
  const { name, owner, exposable } = replaced;
  const details = {
    name,
    owner,
    hosts: replaced.hosts.join(" "),
    ...(exposable === (row.exposable === 1) ? {} : { exposable }),
  };
  return {
    replaced,
    steps: [
      { query: writeChange(context.db, row, changed), mustChange: true },
      auditInsert(context, caller, { action: "credential.replace", target: row.id, details }),
    ],
  };
}

function changedColumns(
  context: Writing,
  { id }: CredentialTable,
  { value, hosts, exposable }: ReplaceCredentialInput,
): Partial<CredentialTable> {
  const columns: Partial<CredentialTable> = {};
  if (hosts !== undefined) columns.hosts = JSON.stringify([...new Set(hosts)]);
  if (exposable !== undefined) columns.exposable = exposable ? 1 : 0;
  if (value === undefined) return columns;
  const { sealedValue, wrappedKey, keyId } = context.envelopes.seal(value, id);
  return { ...columns, sealed_value: sealedValue, wrapped_key: wrappedKey, key_id: keyId };
}
