import { roles } from "@toolhost/contract/roles";
import type { Role, Scope } from "@toolhost/contract";
import { messages } from "./access-messages.ts";
import { roleLabel } from "./role-label.ts";

/** The roles as choices, from most to least privileged. */
export const roleChoices: readonly { id: Role; label: string; hint: string }[] = roles.map(
  (id) => ({ id, label: roleLabel(id), hint: messages.roleHints[id] }),
);

/** What each scope allows. */
export const scopeLabels: Readonly<Record<Scope, string>> = messages.scopes;
