import type { CreatedCredential, Credential } from "@toolhost/contract";
import type { Caller } from "#core/kernel";
import { auditInsert, commitWrite, lostKey, ServiceError } from "#core/kernel";
import { requestTokenAgain } from "../connections/create-connection.ts";
import { createConnectionAttempt } from "../connections/connection-attempt.ts";
import { settingsOf } from "../connections/connection.ts";
import type { VaultContext } from "../context.ts";
import { findForChange } from "./find-for-change.ts";
import { present } from "./present-credential.ts";

/**
 * Starts the authorization of a connection again: returns a new URL for the browser, or, with client credentials,
 * requests a token. The connection stays usable until then. Throws `not_found`, `forbidden`, `invalid_request` for a
 * credential that is not a connection, `connection_failed` and `unavailable`.
 */
export async function connectCredential(
  context: VaultContext,
  caller: Caller,
  name: string,
  owner: Credential["owner"] | undefined,
): Promise<CreatedCredential> {
  const row = await findForChange(context, caller, name, owner);
  if (row.kind !== "oauth2") {
    throw new ServiceError(
      "invalid_request",
      `${name} is not an OAuth connection. Update its value instead.`,
    );
  }
  const settings = settingsOf(row);
  if (settings.grantType === "authorization_code") {
    const { connectUrl, steps } = createConnectionAttempt(context, {
      ...caller,
      credentialId: row.id,
      settings,
    });
    const answer = { ...present(row), connectUrl };
    if (!(await commitWrite(context, caller, answer, steps))) throw lostKey();
    return answer;
  }
  const { columns, step } = await requestTokenAgain(context, row);
  const answer = present({ ...row, ...columns });
  const details = { name, scopes: (answer.scopes ?? []).join(" ") };
  const isKept = await commitWrite(context, caller, answer, [
    { query: step, mustChange: true },
    auditInsert(context, caller, { action: "credential.connect", target: row.id, details }),
  ]);
  if (!isKept) {
    throw new ServiceError(
      "unavailable",
      "The credential was modified by another request. Retry shortly.",
      {
        retryAfterSeconds: 1,
      },
    );
  }
  return answer;
}
