import type { JsonObject, Progress } from "@toolhost/contract";
import { callBrokerTool } from "#core/broker";
import type { MissingCredential } from "#core/broker";
import { isJsonObject } from "#lib/json-object";
import { objectAt } from "./message.ts";
import { rpcCodes, RpcError } from "./rpc-error.ts";
import type { McpRequest, Peer } from "./surface.ts";

const failureKey = "toolhost/failure";

/** `tools/call`: each call runs afresh, whatever its id. */
export async function callTool(request: McpRequest): Promise<JsonObject> {
  const { context, caller, params, signal, peer, noteLimits } = request;
  const { name } = params;
  if (typeof name !== "string") {
    throw new RpcError(rpcCodes.invalidParams, "Invalid params: name is to be a tool's name");
  }
  const { progressToken: token } = objectAt(params, "_meta");
  const hasToken = typeof token === "string" || typeof token === "number";
  const onProgress = hasToken ? createProgress(peer, token) : undefined;
  const called = { name, args: params["arguments"] };
  const answer = await callBrokerTool(context, caller, called, { signal, onProgress, noteLimits });
  if (!answer.isError) {
    const { structured, text = JSON.stringify(structured) } = answer;
    return { content: [{ type: "text", text }], structuredContent: structured };
  }
  if (answer.missing !== undefined && mayAskToConnect(request)) {
    return askToConnect(answer.missing);
  }
  // Agents read the text; a widget shows its user the same by its parts.
  const meta = answer.details === undefined ? {} : { _meta: { [failureKey]: answer.details } };
  return { content: [{ type: "text", text: answer.text }], isError: true, ...meta };
}

/** Progress may only grow, whatever a tool says of itself. */
function createProgress(peer: Peer, progressToken: string | number) {
  let last = Number.NEGATIVE_INFINITY;
  return ({ fraction, message }: Progress) => {
    if (fraction <= last) return;
    last = fraction;
    const said = message === undefined ? {} : { message };
    peer.notify("notifications/progress", { progressToken, progress: fraction, total: 1, ...said });
  };
}

/** Once, and only of clients that can open an address; whoever was asked before gets words. */
function mayAskToConnect({ era, capabilities, params }: McpRequest): boolean {
  const elicitation = objectAt(capabilities, "elicitation");
  return (
    era === "modern" && isJsonObject(elicitation["url"]) && params["inputResponses"] === undefined
  );
}

/** Has the client show its user where to connect; afterwards it sends the same call again. */
function askToConnect(missing: readonly MissingCredential[]): JsonObject {
  const asked = missing.map(({ name, connectUrl }): [string, JsonObject] => {
    const message = `This tool needs the credential ${name}. Open the page to connect it.`;
    const params = { mode: "url", message, url: connectUrl };
    return [`connect_${name}`, { method: "elicitation/create", params }];
  });
  return { resultType: "input_required", inputRequests: Object.fromEntries(asked) };
}
