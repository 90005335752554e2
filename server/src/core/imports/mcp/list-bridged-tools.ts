import { isJsonObject } from "#lib/json-object";
import { parseStrictJson, StrictJsonError } from "#lib/strict-json";
import type { JsonObject } from "@toolhost/contract";
import { cleanLine } from "#lib/clean-text";
import { ProtocolError, RpcError } from "./client/messages.ts";
import type { McpListing } from "./definition.ts";
import { explainError } from "./explain-error.ts";
import { collectTools, describeServer, jsonLimits, maxBytes, timeoutMs } from "./list-tools.ts";
import { McpServerError } from "./mcp-server-error.ts";
import { readTools } from "./read-listing.ts";
import { secretsOf } from "./repeated-secrets.ts";

/** Sends a request to a server that is connected already, and returns the text of its answer. */
type Send = (method: string, params: JsonObject, signal: AbortSignal) => Promise<string>;

/** Lists the tools of a server behind a bridge, under the limits of `listTools`. Throws `McpServerError`, and what `send` throws. */
export async function listBridgedTools(send: Send): Promise<McpListing> {
  const deadline = AbortSignal.timeout(timeoutMs);
  let bytesLeft = maxBytes;
  const request = async (method: string, params: JsonObject) => {
    const text = await send(method, params, deadline);
    bytesLeft -= text.length;
    if (bytesLeft < 0) {
      throw new McpServerError("too_large", "The server sent more than this service reads.");
    }
    return resultIn(text);
  };
  try {
    const about = await request("initialize", {});
    const { protocolVersion: stated } = about;
    const protocolVersion = typeof stated === "string" ? cleanLine(stated, 20) : "";
    const tools = await readTools(await collectTools({ request }, about));
    return { ...describeServer(about), protocolVersion, transport: "http", ...tools };
  } catch (error) {
    const isKnown = error instanceof ProtocolError || error instanceof RpcError;
    if (!isKnown && !deadline.aborted) throw error;
    throw explainError(error, {
      url: "",
      isLate: deadline.aborted,
      secrets: secretsOf({ headers: {} }),
    });
  }
}

function resultIn(text: string): JsonObject {
  let message: unknown;
  try {
    message = parseStrictJson(text, jsonLimits);
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    throw new ProtocolError("The server sent an answer that is not JSON, or too complex");
  }
  if (!isJsonObject(message))
    throw new ProtocolError("The server sent something that is no message");
  const { error, result } = message;
  if (isJsonObject(error)) throw new RpcError(error, message["id"]);
  if (!isJsonObject(result)) throw new ProtocolError("The server sent an answer without a result");
  return result;
}
