import { mayDo, scopes } from "@toolhost/contract";
import type { Scope } from "@toolhost/contract";

export { isRole, mayDo, mayManage } from "@toolhost/contract";
export type { Right, Role } from "@toolhost/contract";

/** A role in a sentence, such as "an admin". */
export function withArticle(role: string): string {
  return /^[ao]/.test(role) ? `an ${role}` : `a ${role}`;
}

/** The scopes of a role. An unknown role has none. */
export function scopesOfRole(role: string): ReadonlySet<Scope> {
  const all = Object.keys(scopes) as Scope[];
  return new Set(all.filter((scope) => mayDo(role, scope)));
}
