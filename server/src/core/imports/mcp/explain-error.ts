import { OutboundError } from "@toolhost/sandbox";
import { cleanLine } from "#lib/clean-text";
import { HttpError } from "./client/mcp-client.ts";
import { ProtocolError, RpcError } from "./client/messages.ts";
import { McpServerError } from "./mcp-server-error.ts";
import type { Secrets } from "./repeated-secrets.ts";

const maxQuoteLength = 200;
const maxChallengeLength = 4_000;

type Listing = {
  url: string;
  /** The time is over. */
  isLate: boolean;
  secrets: Secrets;
};

/** Converts any error of a listing, whose cause may be an answer that nothing expects. */
export function explainError(error: unknown, listing: Listing): McpServerError {
  const { isLate } = listing;
  if (error instanceof McpServerError) return error;
  if (isLate) {
    const message = "The server did not list its tools in time. Try again later.";
    return new McpServerError("timeout", message);
  }
  if (error instanceof OutboundError) {
    return new McpServerError(error.isDenied ? "egress_denied" : "unreachable", error.message);
  }
  if (error instanceof HttpError) return explainStatus(error, listing);
  if (error instanceof RpcError) {
    const quoted = cleanLine(error.message, maxQuoteLength);
    const message = `The server answered with error ${error.code}: "${quoted}"`;
    return new McpServerError("bad_response", message);
  }
  if (error instanceof ProtocolError) {
    const message = `${error.message}. Check that the address is that of an MCP server.`;
    return new McpServerError("bad_response", message);
  }
  const message = "The server sent an answer that cannot be read.";
  return new McpServerError("bad_response", message, { cause: error });
}

function explainStatus({ response }: HttpError, listing: Listing): McpServerError {
  const { status, headers } = response;
  const challenge = headers.get("www-authenticate")?.slice(0, maxChallengeLength);
  if (status === 401) {
    const message = "The server requires a sign-in, or does not accept the credential.";
    return new McpServerError("unauthorized", message, { challenge });
  }
  if (status === 403) {
    const message = "The server denies access with this credential. It may lack a scope.";
    return new McpServerError("forbidden", message, { challenge });
  }
  if (status >= 300 && status < 400) {
    const to = quoteLocation(headers.get("location") ?? "", listing);
    const message = `The server redirects to ${to}. Import it from that address if you trust it.`;
    return new McpServerError("not_mcp_server", message);
  }
  if (status === 429 || status >= 500) {
    const message = `The server responded with status ${status}. Try again later.`;
    return new McpServerError("unreachable", message);
  }
  const message = `No MCP server responds at this address: the status is ${status}. Check the path, such as /mcp or /sse.`;
  return new McpServerError("not_mcp_server", message);
}

/** Without the query and the fragment, in which servers repeat credentials. */
function quoteLocation(location: string, { url, secrets }: Listing): string {
  const target = URL.parse(location, url);
  const isWeb = target !== null && /^https?:$/.test(target.protocol);
  if (!isWeb || [location, target.href].some((text) => isRevealing(text, secrets))) {
    return "another address";
  }
  return `"${cleanLine(`${target.origin}${target.pathname}`, maxQuoteLength)}"`;
}

function isRevealing(text: string, secrets: Secrets): boolean {
  try {
    return secrets.areIn(text) || secrets.areIn(decodeURIComponent(text));
  } catch {
    // What cannot be decoded cannot be searched.
    return true;
  }
}
