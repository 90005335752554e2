import type { CreatedApiKey } from "@toolhost/contract";

/** A shell command that works with the scopes of the key. */
export function exampleCommand({ key, scopes }: CreatedApiKey, origin: string): string {
  const path = scopes.includes("mcp:read") ? "/tools?limit=5" : "/me";
  return `curl -s '${origin}/api/v1${path}' -H 'Authorization: Bearer ${key}'`;
}
