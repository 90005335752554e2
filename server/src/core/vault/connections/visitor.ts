import { authenticateSession } from "#core/identity";
import { mayDo, ServiceError } from "#core/kernel";
import type { Caller, RequestOrigin } from "#core/kernel";
import type { VaultContext } from "../context.ts";
import type { CredentialTable } from "#db";

/** A browser's request, as far as it says who asks. */
export type Visit = { headers: Headers; origin: RequestOrigin };

/**
 * The person whose session a browser sends, in a workspace. Throws `unauthenticated` without a session,
 * `not_found` for one who is no member, and `forbidden` for who may not connect this credential.
 */
export async function identifyVisitor(
  context: VaultContext,
  { headers, origin }: Visit,
  row: Pick<CredentialTable, "workspace_id" | "owner_user_id">,
): Promise<Caller> {
  const caller = await authenticateSession(context, headers, row.workspace_id, origin);
  const isOwn = row.owner_user_id === caller.userId;
  const isShared = row.owner_user_id === "";
  if (!isOwn && !isShared) throw new ServiceError("not_found", "There is no such connection.");
  const mayShare = mayDo(caller.role, "credentials:share");
  if (!caller.scopes.has("credentials:write") || (isShared && !mayShare)) {
    throw new ServiceError("forbidden", "You may not connect this credential.");
  }
  return caller;
}
