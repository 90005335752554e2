import canonicalize from "canonicalize";
import type { Caller } from "#core/kernel";
import { ServiceError } from "#core/kernel";
import { reportRefusal, useCredential } from "#core/vault";
import { cleanLine, cleanText } from "#lib/clean-text";
import { sha256 } from "#lib/hash";
import type { ImportsContext } from "./context.ts";
import { credentialMark, fillUrl, listTools, McpServerError } from "./mcp/index.ts";
import type {
  ListedTool,
  McpListing,
  McpServerProblem,
  McpToolDefinition,
  McpTransport,
} from "./mcp/index.ts";
import type { Reading, StoredItem } from "./stored-import.ts";

export type McpSource = {
  url: string;
  transport: McpTransport | "auto";
  credential: string | null;
};

/**
 * Lists the tools of an MCP server with a credential of the caller. Throws `invalid_request`, `connection_failed`, `forbidden`
 * and `unavailable`.
 */
export async function readMcp(
  context: ImportsContext,
  caller: Caller,
  source: McpSource,
): Promise<Reading> {
  const { listing, resource } = await listWithCredential(context, caller, source);
  return readingOf(listing, { name: new URL(source.url).host, resource });
}

type About = {
  /** The title if the server states no name. */
  name: string;
  /** Where users sign in to get the credential. */
  resource?: string | undefined;
};

/** What is stored of a listing. */
export function readingOf(listing: McpListing, { name, resource }: About): Reading {
  const items = itemsOf(listing);
  const { serverInfo, protocolVersion, instructions = "" } = listing;
  return {
    kind: "mcp",
    title: (serverInfo.title ?? serverInfo.name) || name,
    description: instructions.slice(0, maxDescription),
    version: serverInfo.version,
    format: protocolVersion,
    transport: listing.transport,
    common: { servers: [], securitySchemes: [], tags: [], credentialResource: resource },
    items,
    hash: sha256(canonicalize(items.map(({ key, hash }) => [key, hash])) ?? ""),
    document: null,
  };
}

type Listed = { listing: McpListing; resource: string | undefined };

/** A refused token is reported, which renews it or requests a sign-in, and the list is requested once more. */
async function listWithCredential(
  context: ImportsContext,
  caller: Caller,
  { url, transport, credential }: McpSource,
): Promise<Listed> {
  const isInUrl = url.includes(credentialMark);
  const list = (value: string) =>
    isInUrl
      ? listTools(context.outbound, {
          url: fillUrl(url, value),
          transport,
          headers: {},
          secret: value,
        })
      : listTools(context.outbound, { url, transport, headers: { authorization: value } });
  try {
    if (credential === null) {
      const listing = await listTools(context.outbound, { url, transport, headers: {} });
      return { listing, resource: undefined };
    }
    const first = await findCredential(context, caller, { credential, url });
    const resource = isInUrl ? undefined : first.resource;
    try {
      return { listing: await list(first.headerValue), resource };
    } catch (error) {
      const status = error instanceof McpServerError ? refusals[error.problem] : undefined;
      if (!(error instanceof McpServerError) || status === undefined) throw error;
      await reportRefusal(context, first.sent, { url, status, challenge: error.challenge });
      const second = await findCredential(context, caller, { credential, url });
      if (second.headerValue === first.headerValue) throw error;
      return { listing: await list(second.headerValue), resource };
    }
  } catch (error) {
    throw explainMcpError(error, url);
  }
}

const refusals: Partial<Record<McpServerProblem, number>> = { unauthorized: 401, forbidden: 403 };

async function findCredential(
  context: ImportsContext,
  caller: Caller,
  { credential: name, url }: { credential: string; url: string },
) {
  const found = await useCredential(context, caller, {
    name,
    url,
    ...(url.includes(credentialMark) && { prefix: "" }),
  });
  if (found.status === "ready") return found;
  if (found.status === "missing") {
    const message = `You have no credential ${name}. Create it; the workspace's can be used by admins only.`;
    throw new ServiceError("connection_failed", message);
  }
  const page = found.connectUrl === undefined ? "" : ` at ${found.connectUrl}`;
  throw new ServiceError("connection_failed", `Connect the credential ${name}${page}, then retry.`);
}

const maxTitle = 200;
const maxDescription = 2_000;

function itemsOf({ tools, skipped }: McpListing): StoredItem[] {
  const titles = tools.map(({ definition }) => titleOf(definition).toLowerCase());
  const isRepeated = (title: string) =>
    titles.indexOf(title.toLowerCase()) !== titles.lastIndexOf(title.toLowerCase());
  return [
    ...tools.map(({ definition, hash }: ListedTool) => ({
      key: definition.name,
      name: definition.name,
      hash,
      title: isRepeated(titleOf(definition))
        ? distinctTitle(titleOf(definition), definition.name)
        : titleOf(definition),
      description: cleanText(textOf(definition, "description"), maxDescription),
      tags: [],
      isDeprecated: false,
      schemaBytes: JSON.stringify(definition.inputSchema).length,
      security: [],
      problem: null,
      definition,
    })),
    ...skipped.map(({ name, reason }) => ({
      key: name,
      name,
      hash: "",
      title: name || "(no name)",
      description: "",
      tags: [],
      isDeprecated: false,
      schemaBytes: 0,
      security: [],
      problem: reason,
    })),
  ];
}

function titleOf(definition: McpToolDefinition): string {
  return cleanLine(textOf(definition, "title"), maxTitle) || definition.name;
}

/** The title of one of several tools of a server that have the same. */
export function distinctTitle(title: string, name: string): string {
  return title === name ? title : `${title} (${name})`;
}

function textOf(definition: McpToolDefinition, field: "title" | "description"): string {
  const value = definition[field];
  return typeof value === "string" ? value : "";
}

/** Turns an error of a listing into one for the caller, and any other into itself. */
export function explainMcpError(error: unknown, url: string): unknown {
  if (!(error instanceof McpServerError)) return error;
  const { problem, message } = error;
  if (problem === "unauthorized" || problem === "forbidden") {
    const advice = `Create a credential for ${new URL(url).host}, and name it in \`credential\`.`;
    const errors = [{ path: "/credential", message: "is required, or another one" }];
    return new ServiceError("connection_failed", `${message} ${advice}`, { cause: error, errors });
  }
  if (problem === "unreachable" || problem === "timeout") {
    return new ServiceError("connection_failed", message, { cause: error });
  }
  return new ServiceError("invalid_request", message, { cause: error });
}
