import type { Scope, Via } from "@toolhost/contract";
import type { Role } from "./roles.ts";

/** Who did something, as the audit trail names them. */
export type Actor = { userId: string | null; apiKeyId?: string; sessionId?: string };

/** On whose behalf a core function works: a user in a workspace, with rights, through a door. */
export type Caller = {
  userId: string;
  workspaceId: string;
  role: Role;
  scopes: ReadonlySet<Scope>;
  actor: Actor;
  via: Via;
  requestId: string;
  ip: string | null;
};

/** What a door knows of a request before it knows the caller. */
export type RequestOrigin = { requestId: string; ip: string | null };
