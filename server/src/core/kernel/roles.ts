import { roles, scopes } from "@toolhost/contract";
import type { Role, Scope } from "@toolhost/contract";

export type { Role } from "@toolhost/contract";

/** What may be done in a workspace beside what scopes allow. */
export type Right = Exclude<keyof typeof minRole, Scope>;

/**
 * The one table of rights: for each, the least role that has it, and every role above has it too. A key or
 * a connected app can never do more than the role of its person.
 */
const minRole = {
  "mcp:read": "viewer",
  "mcp:execute": "member",
  "credentials:write": "member",
  "tools:write": "builder",
  "audit:read": "admin",
  /** See who belongs to the workspace. */
  "members:list": "viewer",
  /** Invite people, withdraw invitations, change roles and remove people, of roles below one's own. */
  "members:manage": "admin",
  /** See and revoke everybody's API keys. */
  "keys:oversee": "admin",
  /** See and end everybody's connected apps. */
  "apps:oversee": "admin",
  /** Keep credentials that all members use. */
  "credentials:share": "admin",
  /** Archive or publish tools of others that are shared with the workspace. Private ones are their author's alone. */
  "tools:oversee": "admin",
  /** Connect teams of chat platforms, and see what of their messages was given up. */
  "chat:manage": "admin",
  "workspace:rename": "admin",
  /** Choose how long the workspace keeps its runs. */
  "workspace:configure": "admin",
  /** Give others the role owner, and take it. */
  "workspace:transfer": "owner",
  "workspace:delete": "owner",
} as const satisfies Record<Scope, Role> & Record<string, Role>;

/** Highest first. */
const ranks: readonly string[] = roles;

function has(role: Role, right: keyof typeof minRole): boolean {
  return ranks.indexOf(role) <= ranks.indexOf(minRole[right]);
}

/** The scopes of a role. A role that we do not know grants nothing. */
export function scopesOfRole(role: string): ReadonlySet<Scope> {
  const all = Object.keys(scopes) as Scope[];
  return new Set(isRole(role) ? all.filter((scope) => has(role, scope)) : []);
}

export function isRole(role: string): role is Role {
  return ranks.includes(role);
}

/** Whether a role carries a right. A role that we do not know carries none. */
export function mayDo(role: string, right: Right): boolean {
  return isRole(role) && has(role, right);
}

/** Whether somebody may give, change or take a role: owners every one, admins those below their own. */
export function mayManage(role: string, other: string): boolean {
  if (!isRole(role) || !isRole(other) || !mayDo(role, "members:manage")) return false;
  return role === "owner" || ranks.indexOf(other) > ranks.indexOf(role);
}
