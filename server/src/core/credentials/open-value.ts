import { secretsOf } from "#core/connections";
import type { Context } from "#core/context";
import type { CredentialTable } from "#db";

/** What a credential's placeholder stands for. Throws when it cannot be decrypted. */
export function openValue(context: Context, row: CredentialTable): string {
  if (row.kind === "oauth2") {
    const { accessToken } = secretsOf(context, row);
    if (accessToken === undefined) throw new Error("A connection without a token was to be used");
    return accessToken;
  }
  const { sealed_value: sealedValue, wrapped_key: wrappedKey, key_id: keyId } = row;
  return context.envelopes.open({ sealedValue, wrappedKey, keyId }, row.id);
}
