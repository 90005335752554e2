import type { Role, Scope } from "@toolhost/contract";

/** The roles, the mightiest first, with what each may do. The service decides; this is what people are told. */
export const roles: readonly { id: Role; label: string; hint: string }[] = [
  {
    id: "owner",
    label: "Owner",
    hint: "All of it: also hands the workspace over and deletes it.",
  },
  {
    id: "admin",
    label: "Admin",
    hint: "Manages people, shared credentials, keys, settings, and reads the audit trail.",
  },
  { id: "builder", label: "Builder", hint: "Makes and changes tools." },
  { id: "member", label: "Member", hint: "Runs tools and keeps credentials of their own." },
  { id: "viewer", label: "Viewer", hint: "Looks at tools and runs. Runs nothing." },
];

const rankOf = (role: string): number => roles.findIndex(({ id }) => id === role);

/** Whether somebody of a role may give, change or take another one: owners every one, admins those below their own. */
export function mayManage(own: string, other: string): boolean {
  return own === "owner" || (own === "admin" && rankOf(other) > rankOf(own));
}

export function isAdmin(role: string): boolean {
  return role === "owner" || role === "admin";
}

/** What each scope lets a key do. */
export const scopeWords: Readonly<Record<Scope, string>> = {
  "mcp:read": "See tools, their documentation, and runs",
  "mcp:execute": "Run tools, cancel runs, upload files",
  "tools:write": "Make, change and archive tools",
  "credentials:write": "Add, connect and delete credentials",
  "audit:read": "Read the audit trail",
};
