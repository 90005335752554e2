import { isObject } from "@toolhost/tool-schema/json";
import type { Json, JsonObject } from "@toolhost/tool-schema/json";
import * as messages from "./messages.ts";

/** JSON-RPC with the window around this one. */
export type Rpc = {
  /** Asks, and gives the result. Throws when it is refused, aborted, or not answered in time. */
  request(method: string, params: JsonObject, options?: RequestOptions): Promise<JsonObject>;
  notify(method: string, params: JsonObject): void;
};

type RequestOptions = { signal?: AbortSignal | undefined; timeoutMs?: number };
type Waiting = { resolve: (result: JsonObject) => void; reject: (error: Error) => void };

/** Tools answer within half a minute, and slow networks take theirs. */
const maxMs = 120_000;

/** Begins to listen. `onNotification` gets what the host says by itself. */
export function createRpc(onNotification: (method: string, params: JsonObject) => void): Rpc {
  const waiting = new Map<number, Waiting>();
  let last = 0;
  window.addEventListener("message", ({ source, data }: MessageEvent<unknown>) => {
    // Where there is no window around this one, what comes back is what was sent.
    if (
      source === window ||
      source !== window.parent ||
      !isObject(data) ||
      data["jsonrpc"] !== "2.0"
    )
      return;
    const { id, method } = data;
    if (typeof method !== "string") return settle(waiting, data);
    const params = isObject(data["params"]) ? data["params"] : {};
    if (id === undefined || id === null) return onNotification(method, params);
    const isKnown = method === "ping" || method === "ui/resource-teardown";
    post(
      isKnown ? { id, result: {} } : { id, error: { code: -32601, message: "Method not found" } },
    );
  });
  const request: Rpc["request"] = (method, params, { signal, timeoutMs = maxMs } = {}) => {
    last += 1;
    const id = last;
    const { promise, resolve, reject } = Promise.withResolvers<JsonObject>();
    const giveUp = (reason: string) => {
      if (!waiting.delete(id)) return;
      post({ method: "notifications/cancelled", params: { requestId: id, reason } });
      reject(new Error(reason));
    };
    const timer = setTimeout(() => giveUp(messages.hostTimeout), timeoutMs);
    const abort = () => giveUp(messages.requestCancelled);
    signal?.addEventListener("abort", abort, { once: true });
    waiting.set(id, { resolve, reject });
    post({ id, method, params });
    return promise.finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    });
  };
  return { request, notify: (method, params) => post({ method, params }) };
}

// Which site the host is cannot be known, and nothing that is sent is anybody's secret but the host's own.
function post(message: JsonObject): void {
  window.parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
}

function settle(waiting: Map<number, Waiting>, answer: JsonObject): void {
  const id = typeof answer["id"] === "number" ? answer["id"] : -1;
  const asked = waiting.get(id);
  if (asked === undefined) return;
  waiting.delete(id);
  const { result, error } = answer;
  if (isObject(error)) asked.reject(new Error(messageOf(error["message"])));
  else asked.resolve(isObject(result) ? result : {});
}

function messageOf(message: Json | undefined): string {
  return typeof message === "string" ? message : messages.hostRefused;
}
