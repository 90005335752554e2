import type { JsonObject } from "@toolhost/contract";
import { isJsonObject } from "#lib/json-object";
import { rpcCodes, RpcError } from "./rpc-error.ts";

/** The ID of a request. */
export type RequestId = string | number;

export type RpcRequest = { kind: "request"; id: RequestId; method: string; params: JsonObject };

/** A JSON-RPC message from a client. */
export type Message =
  | RpcRequest
  | { kind: "notification"; method: string; params: JsonObject }
  /** The response to a request that the server sent. */
  | { kind: "response"; id: RequestId; result: JsonObject | undefined };

/** Parses a message. Throws `RpcError` if it is invalid. */
export function readMessage(value: unknown): Message {
  if (!isJsonObject(value) || value["jsonrpc"] !== "2.0")
    throw invalid("not a JSON-RPC 2.0 message");
  const { id, method, params = {} } = value;
  if (typeof method !== "string") {
    const result = value["result"];
    if (!isRequestId(id) || (result === undefined && value["error"] === undefined)) {
      throw invalid("the method is missing");
    }
    return { kind: "response", id, result: isJsonObject(result) ? result : undefined };
  }
  if (!isJsonObject(params)) throw invalid("params must be an object");
  if (id === undefined) return { kind: "notification", method, params };
  if (!isRequestId(id)) throw invalid("id must be a string or an integer");
  return { kind: "request", id, method, params };
}

/** A response with a result. */
export function resultOf(id: RequestId, result: JsonObject): JsonObject {
  return { jsonrpc: "2.0", id, result };
}

/** A response with an error; the ID is null if it could not be read. */
export function errorOf(id: RequestId | null, { code, message, data }: RpcError): JsonObject {
  const error = data === undefined ? { code, message } : { code, message, data };
  return { jsonrpc: "2.0", id, error };
}

/** The ID of a value that may be an invalid request. */
export function idOf(value: unknown): RequestId | null {
  return isJsonObject(value) && isRequestId(value["id"]) ? value["id"] : null;
}

/** The member of an object if it is an object, else an empty object. */
export function objectAt(value: JsonObject, name: string): JsonObject {
  const member = Object.hasOwn(value, name) ? value[name] : undefined;
  return isJsonObject(member) ? member : {};
}

function isRequestId(value: unknown): value is RequestId {
  return typeof value === "string" || Number.isSafeInteger(value);
}

function invalid(problem: string): RpcError {
  return new RpcError(rpcCodes.invalidRequest, `Invalid request: ${problem}`);
}
