import { isRole, roles } from "@toolhost/contract/roles";
import type { Role, Scope } from "@toolhost/contract";
import { messages } from "./messages.ts";

/** The roles as choices, from most to least privileged. */
export const roleChoices: readonly { id: Role; label: string; hint: string }[] = roles.map(
  (id) => ({ id, ...messages.roles[id] }),
);

/** The label of a role; an unknown one is its own label. */
export function roleLabel(role: string): string {
  return isRole(role) ? messages.roles[role].label : role;
}

/** What each scope allows. */
export const scopeLabels: Readonly<Record<Scope, string>> = messages.scopes;
