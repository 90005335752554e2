import { setTimeout as sleep } from "node:timers/promises";
import type { JsonObject, MissingCredential, Progress } from "@toolhost/contract";
import { callBrokerTool } from "#core/agents";
import type { BrokerAnswer } from "#core/agents";
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
  const call = () => callBrokerTool(context, caller, called, { signal, onProgress, noteLimits });
  const answer = hasAccepted(params) ? await callOnceConnected(request, call) : await call();
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

/** The user has agreed to open the page that an earlier answer to this call named. */
function hasAccepted({ inputResponses }: McpRequest["params"]): boolean {
  return (
    isJsonObject(inputResponses) &&
    Object.values(inputResponses).some(
      (response) => isJsonObject(response) && response["action"] === "accept",
    )
  );
}

const lookEveryMs = 1_000;

/**
 * Clients send the call again as soon as the page is open, so what it is for is usually not done yet: waits for it as
 * long as for a run. Nothing runs while a credential is missing, so the tool runs once at most.
 */
async function callOnceConnected(
  { context, signal }: McpRequest,
  call: () => Promise<BrokerAnswer>,
): Promise<BrokerAnswer> {
  const until = performance.now() + context.config.RUN_WAIT_MS;
  for (;;) {
    const answer = await call();
    const isWaiting = answer.isError && answer.missing !== undefined;
    if (!isWaiting || signal?.aborted || performance.now() + lookEveryMs > until) return answer;
    await sleep(lookEveryMs, undefined, signal === undefined ? {} : { signal }).catch(() => {});
  }
}

const purposes = {
  missing: "needs the credential NAME. Open the page to add it.",
  not_connected: "needs the credential NAME. Open the page to connect it.",
  not_approved: "asks to use the credential NAME. Open the page to see for what, and decide.",
  not_exposable: "asks to read the value of the credential NAME. Open the page to decide.",
} as const satisfies Record<MissingCredential["reason"], string>;

function purposeOf({ name, reason }: MissingCredential): string {
  return `This tool ${purposes[reason].replace("NAME", () => name)}`;
}

/** Has the client show its user where to decide; afterwards it sends the same call again. */
function askToConnect(missing: readonly MissingCredential[]): JsonObject {
  const asked = missing.map((lack): [string, JsonObject] => {
    const { name, connectUrl } = lack;
    const params = { mode: "url", message: purposeOf(lack), url: connectUrl };
    return [`connect_${name}`, { method: "elicitation/create", params }];
  });
  return { resultType: "input_required", inputRequests: Object.fromEntries(asked) };
}
