/** Texts that several features share. */
export const messages = {
  copyFailed: "The browser didn't allow copying. Select the text and copy it yourself.",

  roles: {
    owner: {
      label: "Owner",
      hint: "Full access, including transferring and deleting the workspace",
    },
    admin: {
      label: "Admin",
      hint: "Manages members, shared credentials, API keys and settings, and reads the audit log",
    },
    builder: { label: "Builder", hint: "Creates and edits tools" },
    member: { label: "Member", hint: "Runs tools and manages their own credentials" },
    viewer: { label: "Viewer", hint: "Views tools and runs, but can't run tools" },
  },
  scopes: {
    "mcp:read": "View tools, documentation and runs",
    "mcp:execute": "Run tools, cancel runs and upload files",
    "tools:write": "Create, edit and archive tools",
    "credentials:write": "Add, connect and delete credentials",
    "audit:read": "Read the audit log",
  },
} as const;
