import { z } from "zod";

/** Scopes of API keys. The first two are from the specification; the others are for authoring and auditing. */
export const scopes = {
  "mcp:read": "List tools, view schemas, download documentation, read runs",
  "mcp:execute": "Run tools and cancel runs",
  "tools:write": "Create, change and archive tools",
  "credentials:write": "Manage credentials",
  "audit:read": "Read the audit log",
} as const;

export type Scope = keyof typeof scopes;

export const scope = z
  .enum(Object.keys(scopes) as [Scope, ...Scope[]])
  .meta({ id: "Scope", description: "A permission of an API key." });
