import canonicalize from "canonicalize";
import type { Caller } from "#core/kernel";
import { ServiceError } from "#core/kernel";
import { sha256 } from "#lib/hash";
import type { ImportsContext } from "./context.ts";
import { findAuthorization } from "./find-authorization.ts";
import { listTools, McpServerError } from "./mcp/index.ts";
import type { ListedTool, McpListing, McpToolDefinition, McpTransport } from "./mcp/index.ts";
import type { Reading, StoredItem } from "./stored-import.ts";

export type McpSource = {
  url: string;
  transport: McpTransport | "auto";
  credential: string | null;
};

/**
 * Lists the tools of an MCP server with a credential of the caller. Throws `invalid_request`, `connection_failed` and
 * `unavailable`.
 */
export async function readMcp(
  context: ImportsContext,
  caller: Caller,
  { url, transport, credential }: McpSource,
): Promise<Reading> {
  const authorization =
    credential === null ? undefined : await findAuthorization(context, caller, { credential, url });
  const headers = authorization === undefined ? {} : { authorization };
  const listing = await listTools(context.outbound, { url, transport, headers }).catch(
    (error: unknown) => Promise.reject(explainMcpError(error, url)),
  );
  const items = itemsOf(listing);
  const { serverInfo, protocolVersion, instructions = "" } = listing;
  return {
    kind: "mcp",
    title: serverInfo.title ?? serverInfo.name,
    description: instructions.slice(0, maxDescription),
    version: serverInfo.version,
    format: protocolVersion,
    transport: listing.transport,
    common: { servers: [], securitySchemes: [], tags: [] },
    items,
    hash: sha256(canonicalize(items.map(({ key, hash }) => [key, hash])) ?? ""),
    document: null,
  };
}

const maxDescription = 2_000;

function itemsOf({ tools, skipped }: McpListing): StoredItem[] {
  return [
    ...tools.map(({ definition, hash }: ListedTool) => ({
      key: definition.name,
      hash,
      title: textOf(definition, "title") || definition.name,
      description: textOf(definition, "description"),
      tags: [],
      isDeprecated: false,
      schemaBytes: JSON.stringify(definition.inputSchema).length,
      securitySchemes: [],
      problem: null,
      definition,
    })),
    ...skipped.map(({ name, reason }) => ({
      key: name,
      hash: "",
      title: name,
      description: "",
      tags: [],
      isDeprecated: false,
      schemaBytes: 0,
      securitySchemes: [],
      problem: reason,
    })),
  ];
}

function textOf(definition: McpToolDefinition, field: "title" | "description"): string {
  const value = definition[field];
  return typeof value === "string" ? value : "";
}

function explainMcpError(error: unknown, url: string): unknown {
  if (!(error instanceof McpServerError)) return error;
  const { problem, message } = error;
  if (problem === "unauthorized" || problem === "forbidden") {
    const advice = `Create a credential for ${new URL(url).host}, and name it in \`credential\`.`;
    return new ServiceError("connection_failed", `${message} ${advice}`, { cause: error });
  }
  if (problem === "unreachable" || problem === "timeout") {
    return new ServiceError("connection_failed", message, { cause: error });
  }
  return new ServiceError("invalid_request", message, { cause: error });
}
