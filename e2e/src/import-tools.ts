import { createOutbound } from "@toolhost/sandbox";
import { expect } from "vitest";
import { buildTool, listTools } from "../../server/src/core/imports/mcp/index.ts";
import type { HeaderCredential, McpListing } from "../../server/src/core/imports/mcp/index.ts";
import type { Server } from "./server.ts";

/** Lists the tools of MCP servers, and saves some of them. */
export type Importer = {
  list(url: string, headers?: Record<string, string>): Promise<McpListing>;
  /** Saves a tool of a listing, and returns its name. */
  save(
    url: string,
    listing: McpListing,
    name: string,
    credentials?: HeaderCredential[],
  ): Promise<string>;
  close(): Promise<void>;
};

/** Creates an importer that may reach these hosts. */
export function createImporter(server: Server, hosts: readonly string[]): Importer {
  const outbound = createOutbound({
    privateHosts: hosts,
    connectMs: 5_000,
    totalMs: 15_000,
    maxAnswerBytes: 1_000_000,
  });
  return {
    list: (url, headers = {}) => listTools(outbound, { url, transport: "auto", headers }),
    save: async (url, listing, name, credentials = []) => {
      const listed = listing.tools.find(({ definition }) => definition.name === name);
      if (listed === undefined) throw new Error(`${name} is not listed`);
      const options = { credentials, checkSchema: async () => [] };
      const { tool } = await buildTool({ url, ...listing }, listed.definition, options);
      const saved = await server.call("POST", "/tools", tool);
      expect(saved.status).toBe(201);
      return String(saved.body.name);
    },
    close: () => outbound.close(),
  };
}
