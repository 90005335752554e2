import { z } from "zod";

/** What a key may be allowed to do. The first two are the specification's; the others author and oversee. */
export const scopes = {
  "mcp:read": "List tools, view schemas, download documentation, read runs",
  "mcp:execute": "Run tools and cancel runs",
  "tools:write": "Create, change and archive tools",
  "credentials:write": "Manage credentials",
  "audit:read": "Read the audit trail",
} as const;

export type Scope = keyof typeof scopes;

export const scope = z
  .enum(Object.keys(scopes) as [Scope, ...Scope[]])
  .meta({ id: "Scope", description: "What a key may do." });
