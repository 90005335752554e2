import { roles } from "@toolhost/contract/roles";
import type { Role } from "@toolhost/contract";
import { messages } from "./access-messages.ts";
import { roleLabel } from "./role-label.ts";

/** The roles as choices, from most to least privileged. */
export const roleChoices: readonly { id: Role; label: string; hint: string }[] = roles.map(
  (id) => ({ id, label: roleLabel(id), hint: messages.roleHints[id] }),
);
