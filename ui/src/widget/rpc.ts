import { isObject } from "@toolhost/tool-schema/json";
import type { Json, JsonObject } from "@toolhost/tool-schema/json";
import * as messages from "./messages.ts";

/** JSON-RPC with the parent window. */
export type Rpc = {
  /** Sends a request and returns its result. Throws if it fails, is aborted or times out. */
  request(method: string, params: JsonObject, options?: RequestOptions): Promise<JsonObject>;
  notify(method: string, params: JsonObject): void;
};

type RequestOptions = { signal?: AbortSignal | undefined; timeoutMs?: number };
type Pending = { resolve: (result: JsonObject) => void; reject: (error: Error) => void };

/** Tools respond within half a minute; the rest is for slow networks. */
const defaultTimeoutMs = 120_000;

/** Starts listening for messages. `onNotification` receives the notifications of the host. */
export function createRpc(onNotification: (method: string, params: JsonObject) => void): Rpc {
  const pending = new Map<number, Pending>();
  let lastId = 0;
  window.addEventListener("message", ({ source, data }: MessageEvent<unknown>) => {
    // Without a parent window, messages are sent to this window itself.
    if (
      source === window ||
      source !== window.parent ||
      !isObject(data) ||
      data["jsonrpc"] !== "2.0"
    )
      return;
    const { id, method } = data;
    if (typeof method !== "string") return resolveResponse(pending, data);
    const params = isObject(data["params"]) ? data["params"] : {};
    if (id === undefined || id === null) return onNotification(method, params);
    const isKnown = method === "ping" || method === "ui/resource-teardown";
    post(
      isKnown ? { id, result: {} } : { id, error: { code: -32601, message: "Method not found" } },
    );
  });
  const request: Rpc["request"] = (
    method,
    params,
    { signal, timeoutMs = defaultTimeoutMs } = {},
  ) => {
    lastId += 1;
    const id = lastId;
    const { promise, resolve, reject } = Promise.withResolvers<JsonObject>();
    const cancel = (reason: string) => {
      if (!pending.delete(id)) return;
      post({ method: "notifications/cancelled", params: { requestId: id, reason } });
      reject(new Error(reason));
    };
    const timer = setTimeout(() => cancel(messages.hostTimeout), timeoutMs);
    const abort = () => cancel(messages.requestCancelled);
    signal?.addEventListener("abort", abort, { once: true });
    pending.set(id, { resolve, reject });
    post({ id, method, params });
    return promise.finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    });
  };
  return { request, notify: (method, params) => post({ method, params }) };
}

// The origin of the host is unknown, and messages contain no secrets of anyone but the host.
function post(message: JsonObject): void {
  window.parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
}

function resolveResponse(pending: Map<number, Pending>, response: JsonObject): void {
  const id = typeof response["id"] === "number" ? response["id"] : -1;
  const request = pending.get(id);
  if (request === undefined) return;
  pending.delete(id);
  const { result, error } = response;
  if (isObject(error)) request.reject(new Error(messageOf(error["message"])));
  else request.resolve(isObject(result) ? result : {});
}

function messageOf(message: Json | undefined): string {
  return typeof message === "string" ? message : messages.hostRefused;
}
