import type { Outbound } from "@toolhost/sandbox";
import type { McpEndpoint, McpListing } from "./definition.ts";

/** Lists the tools of a server within ten seconds. Throws `McpServerError`. */
export declare function listTools(
  outbound: Outbound,
  endpoint: McpEndpoint,
  signal?: AbortSignal,
): Promise<McpListing>;
