/** Texts about roles and scopes. */
export const messages = {
  roleHints: {
    owner: "Full access, including transferring and deleting the workspace",
    admin: "Manages members, shared credentials, API keys and settings, and reads the audit log",
    builder: "Creates and edits tools",
    member: "Runs tools and manages their own credentials",
    viewer: "Views tools and runs, but can't run tools",
  },
  scopes: {
    "mcp:read": "View tools, documentation and runs",
    "mcp:execute": "Run tools, cancel runs and upload files",
    "tools:write": "Create, edit and archive tools",
    "credentials:write": "Add, connect and delete credentials",
    "audit:read": "Read the audit log",
  },
} as const;
