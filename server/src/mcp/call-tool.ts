import { setTimeout as sleep } from "node:timers/promises";
import type { JsonObject, Progress } from "@toolhost/contract";
import { callBrokerTool } from "#core/agents";
import type { BrokerAnswer } from "#core/agents";
import { isJsonObject } from "#lib/json-object";
import { answersIn, askClient, resumeCall } from "./ask-client.ts";
import { objectAt } from "./message.ts";
import { presentSuccess } from "./present-success.ts";
import { requestConnection } from "./request-connection.ts";
import { rpcCodes, RpcError } from "./rpc-error.ts";
import type { McpRequest, Peer } from "./surface.ts";

const failureKey = "toolhost/failure";

function isAnswer(result: BrokerAnswer | JsonObject): result is BrokerAnswer {
  return "isError" in result;
}

/** `tools/call`. A repeated request ID starts a new run. */
export async function callTool(request: McpRequest): Promise<JsonObject> {
  const { context, caller, params, signal, peer, noteLimits } = request;
  const { name } = params;
  if (typeof name !== "string") {
    throw new RpcError(rpcCodes.invalidParams, "Invalid params: name must be the name of a tool");
  }
  const { progressToken: token } = objectAt(params, "_meta");
  const hasToken = typeof token === "string" || typeof token === "number";
  const onProgress = hasToken ? createProgressReporter(peer, token) : undefined;
  const input = { name, args: params["arguments"] };
  const call = () => callBrokerTool(context, caller, input, { signal, onProgress, noteLimits });
  const answers = answersIn(request);
  const first =
    answers !== undefined
      ? await resumeCall(request, answers)
      : hasAccepted(params)
        ? await callWhenConnected(request, call)
        : await call();
  const result = await askClient(request, first);
  if (!isAnswer(result)) return result;
  if (!result.isError) return presentSuccess(request, result);
  const asked =
    result.missing === undefined
      ? undefined
      : requestConnection(request, result.missing, result.text);
  if (asked !== undefined) return asked;
  // Agents read the text; the widget shows the same failure from its structured details.
  const meta = result.details === undefined ? {} : { _meta: { [failureKey]: result.details } };
  return { content: [{ type: "text", text: result.text }], isError: true, ...meta };
}

/** Sends progress notifications. Drops values that do not increase, which the protocol forbids. */
function createProgressReporter(peer: Peer, progressToken: string | number) {
  let last = Number.NEGATIVE_INFINITY;
  return ({ fraction, message }: Progress) => {
    if (fraction <= last) return;
    last = fraction;
    const text = message === undefined ? {} : { message };
    peer.notify("notifications/progress", { progressToken, progress: fraction, total: 1, ...text });
  };
}

/** Whether the user accepted the URL elicitation of an earlier response to this call. */
function hasAccepted({ inputResponses }: McpRequest["params"]): boolean {
  return (
    isJsonObject(inputResponses) &&
    Object.values(inputResponses).some(
      (response) => isJsonObject(response) && response["action"] === "accept",
    )
  );
}

const pollIntervalMs = 1_000;

/**
 * Clients repeat the call as soon as the page is open, usually before the user has connected the credential, so this polls
 * for as long as a request waits for a run. The tool runs at most once, because it does not start while a credential is
 * missing.
 */
async function callWhenConnected(
  { context, signal }: McpRequest,
  call: () => Promise<BrokerAnswer>,
): Promise<BrokerAnswer> {
  const deadline = performance.now() + context.config.RUN_WAIT_MS;
  for (;;) {
    const result = await call();
    const isWaiting = result.isError && result.missing !== undefined;
    if (!isWaiting || signal?.aborted || performance.now() + pollIntervalMs > deadline)
      return result;
    await sleep(pollIntervalMs, undefined, signal === undefined ? {} : { signal }).catch(() => {});
  }
}
