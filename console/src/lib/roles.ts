import { roles } from "@toolhost/contract/roles";
import type { Role, Scope } from "@toolhost/contract";
import { messages } from "./messages.ts";

/** The roles as choices, from most to least privileged. */
export const roleChoices: readonly { id: Role; label: string; hint: string }[] = roles.map(
  (id) => ({ id, ...messages.roles[id] }),
);

/** The name of each role. */
export const roleLabels: Readonly<Record<Role, string>> = Object.fromEntries(
  roleChoices.map(({ id, label }) => [id, label]),
) as Record<Role, string>;

/** What each scope allows. */
export const scopeLabels: Readonly<Record<Scope, string>> = messages.scopes;
