import { randomUUID } from "node:crypto";
import { createToolInput } from "@toolhost/contract";
import type { JsonObject } from "@toolhost/contract";
import type { Outbound } from "@toolhost/sandbox";
import { isJsonObject } from "#lib/json-object";
import { parseStrictJson, StrictJsonError } from "#lib/strict-json";
import { cleanLine, cleanText } from "#lib/clean-text";
import { McpClient } from "./client/mcp-client.ts";
import { ProtocolError } from "./client/messages.ts";
import type { McpEndpoint, McpListing } from "./definition.ts";
import { explainError } from "./explain-error.ts";
import { hostOf, lowerNames } from "./server-address.ts";
import { McpServerError } from "./mcp-server-error.ts";
import { negotiate } from "./negotiate.ts";
import type { Connect } from "./negotiate.ts";
import { outboundFetch } from "./outbound-fetch.ts";
import { readTools } from "./read-listing.ts";
import { secretsOf } from "./repeated-secrets.ts";
import type { Secrets } from "./repeated-secrets.ts";

export const timeoutMs = 10_000;
export const maxBytes = 5 * 1024 * 1024;
const maxTools = 1_000;
const maxPages = 100;
const maxCursorLength = 4_096;
const maxNameLength = 100;
const maxInstructionsLength = 4_000;
/** Parsing a page within these limits holds the event loop for less than 50 ms. */
export const jsonLimits = { values: 250_000, containers: 60_000 };

/** Lists the tools of a server within ten seconds. Throws `McpServerError`, and the reason of `signal`. */
export async function listTools(
  outbound: Outbound,
  endpoint: McpEndpoint,
  signal?: AbortSignal,
): Promise<McpListing> {
  checkUrl(endpoint.url);
  const deadline = AbortSignal.timeout(timeoutMs);
  const until = signal === undefined ? deadline : AbortSignal.any([signal, deadline]);
  const secrets = secretsOf(endpoint);
  const connect = connector(outbound, endpoint, { secrets, until });
  try {
    const { client, about, ...server } = await negotiate(connect, endpoint.transport);
    try {
      const listed = await collectTools(client, about);
      return { ...describeServer(about), ...server, ...(await readTools(listed)) };
    } finally {
      client.close().catch(() => {});
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw explainError(error, { url: endpoint.url, isLate: deadline.aborted, secrets });
  }
}

function checkUrl(url: string): void {
  const host = hostOf(url);
  if (host !== undefined && createToolInput.shape.allowedHosts.safeParse([host]).success) return;
  const message = "Enter the complete address of the MCP server, such as https://example.com/mcp.";
  throw new McpServerError("invalid_url", message);
}

function connector(
  outbound: Outbound,
  { url, headers: given }: McpEndpoint,
  { secrets, until }: { secrets: Secrets; until: AbortSignal },
): Connect {
  // No other listing may share the connections, because the server may have authenticated them.
  const budget = { connectionGroup: `mcp ${randomUUID()}`, bytesLeft: maxBytes };
  const headers = lowerNames(given);
  let hasAnswered = false;
  const parse = (text: string) => {
    const answer = parseAnswer(text, { secrets, hasAnswered });
    hasAnswered = true;
    return answer;
  };
  return (transport, protocolVersion, signal) => {
    const both = signal === undefined ? until : AbortSignal.any([until, signal]);
    const fetch = outboundFetch(outbound, budget, both);
    return new McpClient({ url, transport, protocolVersion, headers, fetch, parse, elicit });
  };
}

/** Servers list some tools only for clients that can ask their users, as runs can. Listing itself asks no user. */
const elicit = async () => ({ action: "cancel" });

type Answers = { secrets: Secrets; hasAnswered: boolean };

function parseAnswer(text: string, { secrets, hasAnswered }: Answers): unknown {
  const value = parseLimited(text, hasAnswered);
  // What a server sends is stored and shown to others, who must not read a secret in it.
  if (secrets.areIn(text) || secrets.areInValue(value)) {
    throw new ProtocolError("The server repeats the credential in its answer, so it was not read");
  }
  return value;
}

function parseLimited(text: string, hasAnswered: boolean): unknown {
  try {
    return parseStrictJson(text, jsonLimits);
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    if (hasAnswered)
      throw new ProtocolError("The server sent an answer that is not JSON, or too complex");
    const message =
      "No MCP server responds at this address, but something else. Check the address.";
    throw new McpServerError("not_mcp_server", message);
  }
}

/** All tools of a server, from all pages. Throws `ProtocolError` and `McpServerError`. */
export async function collectTools(
  client: Pick<McpClient, "request">,
  about: JsonObject,
): Promise<unknown[]> {
  const { capabilities } = about;
  if (!isJsonObject(capabilities) || !isJsonObject(capabilities["tools"])) return [];
  const tools: unknown[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const { tools: listed, nextCursor } = await client.request("tools/list", params);
    if (!Array.isArray(listed)) throw new ProtocolError("The server did not send a list of tools");
    if (tools.length + listed.length > maxTools) throw tooMany();
    tools.push(...(listed as unknown[]));
    if (typeof nextCursor !== "string" || nextCursor === "") return tools;
    if (nextCursor.length > maxCursorLength || nextCursor === cursor) {
      throw new ProtocolError("The server sent an unusable cursor for the next page of its tools");
    }
    cursor = nextCursor;
  }
  throw tooMany();
}

function tooMany(): McpServerError {
  const message = `The server lists more than ${maxTools} tools, or more than ${maxPages} pages of them.`;
  return new McpServerError("too_large", message);
}

/** How a server describes itself, as printable and bounded texts. */
export function describeServer(about: JsonObject): Pick<McpListing, "serverInfo" | "instructions"> {
  const info = infoOf(about);
  const lineAt = (name: string) => {
    const value = info[name];
    return typeof value === "string" ? cleanLine(value, maxNameLength) : "";
  };
  const title = lineAt("title");
  const { instructions } = about;
  const cleaned =
    typeof instructions === "string" ? cleanText(instructions, maxInstructionsLength) : "";
  return {
    serverInfo: { name: lineAt("name"), version: lineAt("version"), ...(title && { title }) },
    ...(cleaned && { instructions: cleaned }),
  };
}

/** The newest revision carries it in `_meta`. */
function infoOf({ serverInfo, _meta: meta }: JsonObject): JsonObject {
  if (isJsonObject(serverInfo)) return serverInfo;
  const inMeta = isJsonObject(meta) ? meta["io.modelcontextprotocol/serverInfo"] : undefined;
  return isJsonObject(inMeta) ? inMeta : {};
}
