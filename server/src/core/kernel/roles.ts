import { mayDo, roles, scopes } from "@toolhost/contract";
import type { Scope } from "@toolhost/contract";

export { isRole, mayDo, mayManage } from "@toolhost/contract";
export type { Right, Role } from "@toolhost/contract";

/** A role in a sentence, such as "an admin". */
export function withArticle(role: string): string {
  return /^[ao]/.test(role) ? `an ${role}` : `a ${role}`;
}

const allScopes = Object.keys(scopes) as Scope[];
const scopesByRole = new Map(
  roles.map((role) => [role as string, new Set(allScopes.filter((scope) => mayDo(role, scope)))]),
);
const noScopes: ReadonlySet<Scope> = new Set();

/** The scopes of a role. An unknown role has none. */
export function scopesOfRole(role: string): ReadonlySet<Scope> {
  return scopesByRole.get(role) ?? noScopes;
}
