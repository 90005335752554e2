import type { ApiKey, CreateApiKeyInput, CreatedApiKey, Scope } from "@toolhost/contract";
import { auditInsert, commitWrite, lostKey, mayDo, notFound, ServiceError } from "#core/kernel";
import type { ApiKeyTable } from "#db";
import { toTimestamp, toTimestampOrNull } from "#lib/clock";
import { sha256 } from "#lib/hash";
import { isId, newId } from "#lib/ids";
import { findKey, insertKey, listKeys, revokeKey } from "./api-key-store.ts";
import type { BaseContext, Caller } from "#core/kernel";
import { makeKey, shownPrefixLength } from "./key-format.ts";

/** Creates an API key of the caller in this workspace. Its value is returned only here. */
export async function createApiKey(
  context: BaseContext,
  caller: Caller,
  input: CreateApiKeyInput,
): Promise<CreatedApiKey> {
  const now = context.clock.now();
  const expiresAt = input.expiresAt == null ? null : Date.parse(input.expiresAt);
  if (expiresAt !== null && expiresAt <= now) {
    throw new ServiceError("invalid_request", "The API key's expiry must be in the future.", {
      errors: [{ path: "/expiresAt", message: "must be in the future" }],
    });
  }
  const beyond = input.scopes.filter((scope) => !caller.scopes.has(scope));
  if (beyond.length > 0) {
    throw new ServiceError("forbidden", `Your role does not allow ${beyond.join(", ")}.`);
  }
  const key = makeKey();
  const row: ApiKeyTable = {
    id: newId(),
    workspace_id: caller.workspaceId,
    user_id: caller.userId,
    name: input.name,
    prefix: key.slice(0, shownPrefixLength),
    key_hash: sha256(key),
    scopes: [...new Set(input.scopes)].join(" "),
    created_at: now,
    expires_at: expiresAt,
    last_used_at: null,
    revoked_at: null,
  };
  const { lastUsedAt: _, ...shown } = present(row);
  const created = { ...shown, key };
  const isWritten = await commitWrite(context, caller, created, [
    ...insertKey(context, row),
    auditInsert(context, caller, {
      action: "api_key.create",
      target: row.id,
      details: { name: row.name, scopes: row.scopes },
    }),
  ]);
  if (!isWritten) throw lostKey();
  return created;
}

/**
 * Lists the keys in this workspace that are not revoked, newest first: the caller's own, or those of all members with their
 * owners. Throws `forbidden` if the role may not list those of others.
 */
export async function listApiKeys(
  context: BaseContext,
  caller: Caller,
  page: { limit: number; after: string | undefined; owner: "me" | "anyone" },
): Promise<ApiKey[]> {
  const { workspaceId } = caller;
  if (page.owner === "me") {
    const rows = await listKeys(context.db, { workspaceId, userId: caller.userId }, page);
    return rows.map(present);
  }
  if (!mayDo(caller.role, "keys:oversee")) {
    throw new ServiceError("forbidden", "Only admins can list other members' API keys.");
  }
  const rows = await listKeys(context.db, { workspaceId, userId: undefined }, page);
  return rows.map((row) => ({ ...present(row), userId: row.user_id }));
}

/** Revokes a key immediately: one of the caller's, or any of the workspace for roles that oversee keys. */
export async function revokeApiKey(
  context: BaseContext,
  caller: Caller,
  id: string,
): Promise<void> {
  const { workspaceId } = caller;
  const userId = mayDo(caller.role, "keys:oversee") ? undefined : caller.userId;
  const key = isId(id) ? await findKey(context.db, { id, workspaceId, userId }) : undefined;
  const isRevoked =
    key !== undefined &&
    (await commitWrite(context, caller, null, [
      {
        query: revokeKey(context.db, { id, workspaceId, userId, now: context.clock.now() }),
        mustChange: true,
      },
      auditInsert(context, caller, {
        action: "api_key.revoke",
        target: id,
        details: { name: key.name, userId: key.user_id },
      }),
    ]));
  if (!isRevoked) throw notFound("not_found", "API key", { id });
}

function present(row: ApiKeyTable): ApiKey {
  return {
    id: row.id,
    name: row.name,
    scopes: row.scopes.split(" ") as Scope[],
    prefix: row.prefix,
    createdAt: toTimestamp(row.created_at),
    expiresAt: toTimestampOrNull(row.expires_at),
    lastUsedAt: toTimestampOrNull(row.last_used_at),
  };
}
