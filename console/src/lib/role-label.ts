import { isRole } from "@toolhost/contract/roles";
import { messages } from "./messages.ts";

/** The label of a role; an unknown one is its own label. */
export function roleLabel(role: string): string {
  return isRole(role) ? messages.roles[role] : role;
}
