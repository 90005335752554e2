/** Texts about roles. */
export const messages = {
  roleHints: {
    owner: "Full access, including transferring and deleting the workspace",
    admin: "Manages members, shared credentials, API keys and settings, and reads the audit log",
    builder: "Creates and edits tools",
    member: "Runs tools and manages their own credentials",
    viewer: "Views tools and runs, but can't run tools",
  },
} as const;
