// Plain data without zod, so that browsers can load it: `@toolhost/contract/roles`.
import type { Scope } from "./scope-descriptions.ts";

/** The roles in a workspace, from most to least privileged. */
export const roles = ["owner", "admin", "builder", "member", "viewer"] as const;
export type Role = (typeof roles)[number];

/**
 * The least privileged role that has each scope and right; every role above it has it too. An API key or a connected app
 * never has more than its user's role.
 */
const minRole = {
  "mcp:read": "viewer",
  "mcp:execute": "member",
  "credentials:write": "member",
  "tools:write": "builder",
  "audit:read": "admin",
  /** List the members of the workspace. */
  "members:list": "viewer",
  /** Invite people, revoke invitations, change roles and remove members, for roles below one's own. */
  "members:manage": "admin",
  /** List and revoke every member's API keys. */
  "keys:oversee": "admin",
  /** List and disconnect every member's connected apps. */
  "apps:oversee": "admin",
  /** Add, change and delete credentials that all members use. */
  "credentials:share": "admin",
  /** Archive other members' shared tools and change who sees them. A private tool is its author's alone. */
  "tools:oversee": "admin",
  /** Delete files that other members uploaded or their runs saved. */
  "files:oversee": "admin",
  /** Connect chats and requeue dead letters. */
  "chat:manage": "admin",
  /** Create, change and delete webhooks, and requeue their dead letters. */
  "webhooks:manage": "admin",
  /** Create, change and delete alerts. */
  "alerts:manage": "admin",
  "workspace:rename": "admin",
  /** Change the data retention and other settings. */
  "workspace:configure": "admin",
  /** Give the role owner to others, and take it away. */
  "workspace:transfer": "owner",
  "workspace:delete": "owner",
} as const satisfies Record<Scope, Role> & Record<string, Role>;

/** What a role may do in a workspace in addition to its scopes. */
export type Right = Exclude<keyof typeof minRole, Scope>;

export function isRole(role: string): role is Role {
  return (roles as readonly string[]).includes(role);
}

/** Whether a role has a scope or right. An unknown role has none. */
export function mayDo(role: string, right: Right | Scope): boolean {
  return isRole(role) && roles.indexOf(role) <= roles.indexOf(minRole[right]);
}

/** The least privileged role that has a scope or right. */
export function minRoleOf(right: Right | Scope): Role {
  return minRole[right];
}

/** Whether a role may grant, change or remove another: owners every one, admins those below their own. */
export function mayManage(role: string, other: string): boolean {
  if (!isRole(role) || !isRole(other) || !mayDo(role, "members:manage")) return false;
  return role === "owner" || roles.indexOf(other) > roles.indexOf(role);
}
