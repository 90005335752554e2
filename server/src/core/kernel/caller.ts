import type { Via, Scope } from "@toolhost/contract";
import type { IdempotencyHandle } from "./idempotency/handle.ts";
import type { Role } from "./roles.ts";

/**
 * The workspace ID of a caller outside of any workspace. No workspace has this ID. The audit events of accounts form
 * a chain with this name.
 */
export const noWorkspace = "server";

/** Who performed an action, in the form of the audit log. */
export type Actor = {
  userId: string | null;
  apiKeyId?: string;
  sessionId?: string;
  /** The grant of the connected app that acts for the user. */
  grantId?: string;
  /** The chat user that the request came from, such as `slack:T1/U2`. */
  chatUserId?: string;
};

/** On whose behalf a core function runs: a user in a workspace, with permissions, through an interface. */
export type Caller = {
  userId: string;
  /** {@link noWorkspace} outside of any workspace. */
  workspaceId: string;
  role: Role | "none";
  scopes: ReadonlySet<Scope>;
  actor: Actor;
  via: Via;
  requestId: string;
  ip: string | null;
  /** Stores the response to the caller's write. Present only for a request with an Idempotency-Key. */
  idempotency?: IdempotencyHandle;
  /** Throws if the caller lost the permission since a request that takes long was authenticated. */
  recheck?: () => Promise<void>;
};

/** The key or grant of a caller. All sessions of a user count as one; otherwise signing in again would reset their limits. */
export function credentialOf({ actor, userId }: Pick<Caller, "actor" | "userId">): string {
  return actor.apiKeyId ?? actor.grantId ?? userId;
}

/** What an interface knows about a request before it knows the caller. */
export type RequestOrigin = { requestId: string; ip: string | null };
