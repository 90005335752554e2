// Plain data without zod, so that browsers can load it: `@toolhost/contract/scopes`.

/**
 * The scopes of API keys and connected apps, with what each allows. The first two are from the specification; the others are
 * for authoring and auditing.
 */
export const scopes = {
  "mcp:read": "View tools, documentation and runs",
  "mcp:execute": "Run tools with your credentials, cancel runs and upload files",
  "tools:write": "Create, edit and archive tools",
  "credentials:write": "Add, connect, approve and delete credentials",
  "audit:read": "Read the audit log",
} as const;

export type Scope = keyof typeof scopes;
