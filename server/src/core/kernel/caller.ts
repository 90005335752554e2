import type { Scope, Via } from "@toolhost/contract";
import type { IdempotencyHandle } from "./idempotency/handle.ts";
import type { Role } from "./roles.ts";

/**
 * Stands for the workspace where a person acts outside of all: no row of a workspace has it, and the events of
 * accounts are in a chain of this name.
 */
export const noWorkspace = "server";

/** Who did something, as the audit trail names them. */
export type Actor = {
  userId: string | null;
  apiKeyId?: string;
  sessionId?: string;
  /** A connected app acts for the person by this grant. */
  grantId?: string;
  /** The person asked in a chat, as this user of a team: `slack:T1/U2`. */
  chatUserId?: string;
};

/** On whose behalf a core function works: a user in a workspace, with rights, through a door. */
export type Caller = {
  userId: string;
  /** {@link noWorkspace} for a person who acts in none. */
  workspaceId: string;
  role: Role | "none";
  scopes: ReadonlySet<Scope>;
  actor: Actor;
  via: Via;
  requestId: string;
  ip: string | null;
  /** Stores the response to the caller's write. Present only for a request with an Idempotency-Key. */
  idempotency?: IdempotencyHandle;
};

/** The key or grant that a caller came with; a person's sessions count as one, or signing in anew would begin anew. */
export function credentialOf({ actor, userId }: Pick<Caller, "actor" | "userId">): string {
  return actor.apiKeyId ?? actor.grantId ?? userId;
}

/** What a door knows of a request before it knows the caller. */
export type RequestOrigin = { requestId: string; ip: string | null };
