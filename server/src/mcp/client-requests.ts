import type { JsonObject } from "@toolhost/contract";
import { randomToken } from "#lib/ids";
import type { RequestId } from "./message.ts";
import { rpcCodes, RpcError } from "./rpc-error.ts";

/** Requests that the server sent to legacy clients and that await a response. */
export type ClientRequests = {
  /** Sends a request and waits for the response, which arrives as a separate message. Throws `RpcError` if none arrives. */
  request(
    send: (message: JsonObject) => void,
    method: string,
    params: JsonObject,
  ): Promise<JsonObject>;
  /** Resolves the request with this ID, if there is one. */
  resolve(id: RequestId, result: JsonObject | undefined): void;
};

const maxWaitMs = 30_000;

export function createClientRequests(): ClientRequests {
  const pending = new Map<RequestId, (result: JsonObject | undefined) => void>();
  return {
    request: async (send, method, params) => {
      // A random ID, so that no other client can respond to the request.
      const id = randomToken(16);
      const { promise, resolve } = Promise.withResolvers<JsonObject | undefined>();
      const timer = setTimeout(() => resolve(undefined), maxWaitMs);
      pending.set(id, resolve);
      try {
        send({ jsonrpc: "2.0", id, method, params });
        const result = await promise;
        if (result !== undefined) return result;
        throw new RpcError(rpcCodes.internal, "The client did not respond");
      } finally {
        clearTimeout(timer);
        pending.delete(id);
      }
    },
    resolve: (id, result) => pending.get(id)?.(result),
  };
}
