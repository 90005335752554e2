import { scopes } from "@toolhost/contract";
import type { Scope } from "@toolhost/contract";

const all = Object.keys(scopes) as Scope[];

/** What each role of a workspace may do. A key can never do more than its owner's role. */
const roleScopes = {
  owner: all,
  admin: all,
  builder: ["mcp:read", "mcp:execute", "tools:write", "credentials:write"],
  member: ["mcp:read", "mcp:execute", "credentials:write"],
  viewer: ["mcp:read"],
} as const satisfies Record<string, readonly Scope[]>;

export type Role = keyof typeof roleScopes;

/** The scopes of a role. A role that we do not know grants nothing. */
export function scopesOfRole(role: string): ReadonlySet<Scope> {
  return new Set(isRole(role) ? roleScopes[role] : []);
}

export function isRole(role: string): role is Role {
  return Object.hasOwn(roleScopes, role);
}
