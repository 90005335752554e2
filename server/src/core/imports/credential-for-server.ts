import type { HeaderCredential } from "./mcp/index.ts";

/** How a tool sends a credential to its MCP server: as a bearer token (RFC 6750, section 2.1). */
export function credentialForServer(name: string): HeaderCredential {
  return { name, header: "authorization", prefix: "Bearer " };
}
