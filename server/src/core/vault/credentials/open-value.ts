import { secretsOf } from "../connections/connection.ts";
import type { VaultContext } from "../context.ts";
import { ServiceError } from "#core/kernel";
import type { CredentialTable } from "#db";

/**
 * The maximum bytes of all values that one run uses. Everything that it writes is searched for each of them in every
 * spelling, and preparing that search takes some milliseconds per KiB.
 */
export const maxValueBytes = 32 * 1024;

/** Throws `invalid_request` if the values of one run exceed the limit. */
export function checkValueBytes(values: readonly string[]): void {
  const bytes = values.reduce((sum, value) => sum + Buffer.byteLength(value), 0);
  if (bytes <= maxValueBytes) return;
  throw new ServiceError(
    "invalid_request",
    `The values of the tool's credentials have ${bytes} bytes in total; a run may use ${maxValueBytes}. Use shorter values.`,
  );
}

/** The value that replaces a credential's placeholder. Throws if it cannot be decrypted. */
export function openValue(context: VaultContext, row: CredentialTable): string {
  if (row.kind === "oauth2") {
    const { accessToken } = secretsOf(context, row);
    if (accessToken === undefined) throw new Error("The connection has no token");
    return accessToken;
  }
  const { sealed_value: sealedValue, wrapped_key: wrappedKey, key_id: keyId } = row;
  return context.envelopes.open({ sealedValue, wrappedKey, keyId }, row.id);
}
