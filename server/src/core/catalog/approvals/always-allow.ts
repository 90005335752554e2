import type { AlwaysAllowed } from "@toolhost/contract";
import { auditInsert, commitWrite, ServiceError } from "#core/kernel";
import type { Caller } from "#core/kernel";
import { toTimestamp } from "#lib/clock";
import type { AuthoringContext } from "../context.ts";
import { findToolRecord } from "../tools/get-tool.ts";
import type { RunnableTool } from "../tools/runnable-tool.ts";
import { deleteAlwaysAllowed, findAlwaysAllowed, putAlwaysAllowed } from "./always-allow-store.ts";
import { hasNoNeeds, needsOf, readNeeds, subtractNeeds } from "./needs.ts";

type Version = Pick<RunnableTool, "id" | "name" | "version" | "bundle"> & {
  definition: Parameters<typeof needsOf>[0];
};
type Reading = Pick<AuthoringContext, "db">;

/**
 * The caller's permission to run a tool from chats without a confirmation; undefined if there is none. It covers a
 * version with the code that the caller confirmed and no further credentials or hosts.
 */
export async function getAlwaysAllowed(
  { db }: Reading,
  { workspaceId, userId }: Pick<Caller, "workspaceId" | "userId">,
  { id: toolId, bundle, definition }: Pick<Version, "id" | "bundle" | "definition">,
): Promise<AlwaysAllowed | undefined> {
  const row = await findAlwaysAllowed(db, { workspaceId, userId, toolId });
  if (row === undefined) return undefined;
  const more = subtractNeeds(needsOf(definition), readNeeds(row.needs));
  const covered = row.code_hash === bundle.id && hasNoNeeds(more);
  return { version: row.version, covered, at: toTimestamp(row.at) };
}

/** Stores the caller's permission for the version that they confirmed. A repeated call changes nothing. */
export async function alwaysAllow(
  context: Pick<AuthoringContext, "db" | "clock">,
  caller: Caller,
  { id: toolId, name, version, bundle, definition }: Version,
): Promise<void> {
  const { workspaceId, userId } = caller;
  await context.db.transact([
    putAlwaysAllowed(context.db, {
      workspace_id: workspaceId,
      user_id: userId,
      tool_id: toolId,
      version,
      code_hash: bundle.id,
      needs: JSON.stringify(needsOf(definition)),
      at: context.clock.now(),
    }),
    auditInsert(context, caller, {
      action: "tool.always_allow",
      target: name,
      details: { version },
    }),
  ]);
}

/** Revokes the caller's permission. Throws `tool_not_found`, and `not_found` if there is none. */
export async function revokeAlwaysAllow(
  context: AuthoringContext,
  caller: Caller,
  name: string,
): Promise<void> {
  const { id: toolId } = await findToolRecord(context, caller, name);
  const { workspaceId, userId } = caller;
  const isRevoked = await commitWrite(context, caller, null, [
    deleteAlwaysAllowed(context.db, { workspaceId, userId, toolId }),
    auditInsert(context, caller, { action: "tool.always_allow_revoke", target: name }),
  ]);
  if (isRevoked) return;
  throw new ServiceError("not_found", `You confirm each run of ${name} in chats already.`);
}
