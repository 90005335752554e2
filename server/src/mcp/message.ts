import type { JsonObject } from "@toolhost/contract";
import { isJsonObject } from "#lib/json-object";
import { rpcCodes, RpcError } from "./rpc-error.ts";

/** The id that a client gave its request. */
export type RequestId = string | number;

export type RpcRequest = { kind: "request"; id: RequestId; method: string; params: JsonObject };

/** One JSON-RPC message of a client. */
export type Message =
  | RpcRequest
  | { kind: "notification"; method: string; params: JsonObject }
  /** The answer to a request that the service made of the client. */
  | { kind: "response"; id: RequestId; result: JsonObject | undefined };

/** Reads a message. Throws `RpcError` for what is none. */
export function readMessage(value: unknown): Message {
  if (!isJsonObject(value) || value["jsonrpc"] !== "2.0")
    throw invalid("it is no JSON-RPC 2.0 message");
  const { id, method, params = {} } = value;
  if (typeof method !== "string") {
    const result = value["result"];
    if (!isRequestId(id) || (result === undefined && value["error"] === undefined)) {
      throw invalid("it has no method");
    }
    return { kind: "response", id, result: isJsonObject(result) ? result : undefined };
  }
  if (!isJsonObject(params)) throw invalid("its params are no object");
  if (id === undefined) return { kind: "notification", method, params };
  if (!isRequestId(id)) throw invalid("its id is neither text nor a whole number");
  return { kind: "request", id, method, params };
}

/** An answer with a result. */
export function resultOf(id: RequestId, result: JsonObject): JsonObject {
  return { jsonrpc: "2.0", id, result };
}

/** An answer with an error; the id is null where it could not be read. */
export function errorOf(id: RequestId | null, { code, message, data }: RpcError): JsonObject {
  const error = data === undefined ? { code, message } : { code, message, data };
  return { jsonrpc: "2.0", id, error };
}

/** The id of what may be a request, for an answer that refuses it. */
export function idOf(value: unknown): RequestId | null {
  return isJsonObject(value) && isRequestId(value["id"]) ? value["id"] : null;
}

/** One member of an object; empty when it is none. */
export function objectAt(value: JsonObject, name: string): JsonObject {
  const member = Object.hasOwn(value, name) ? value[name] : undefined;
  return isJsonObject(member) ? member : {};
}

function isRequestId(value: unknown): value is RequestId {
  return typeof value === "string" || Number.isSafeInteger(value);
}

function invalid(why: string): RpcError {
  return new RpcError(rpcCodes.invalidRequest, `Invalid request: ${why}`);
}
