import type { JsonObject } from "@toolhost/contract";
import { randomToken } from "#lib/ids";
import type { RequestId } from "./message.ts";
import { rpcCodes, RpcError } from "./rpc-error.ts";

/** Requests that the service made of legacy clients and that wait for an answer. */
export type ClientRequests = {
  /** Sends a request and waits for its answer, which comes as a message of its own. Throws `RpcError` when none comes. */
  ask(send: (message: JsonObject) => void, method: string, params: JsonObject): Promise<JsonObject>;
  /** Hands an answer to whoever waits for it. */
  settle(id: RequestId, result: JsonObject | undefined): void;
};

const maxWaitMs = 30_000;

export function createClientRequests(): ClientRequests {
  const waiting = new Map<RequestId, (result: JsonObject | undefined) => void>();
  return {
    ask: async (send, method, params) => {
      // Nobody else can answer what they cannot name.
      const id = randomToken(16);
      const { promise, resolve } = Promise.withResolvers<JsonObject | undefined>();
      const timer = setTimeout(() => resolve(undefined), maxWaitMs);
      waiting.set(id, resolve);
      try {
        send({ jsonrpc: "2.0", id, method, params });
        const result = await promise;
        if (result !== undefined) return result;
        throw new RpcError(rpcCodes.internal, "The client did not answer");
      } finally {
        clearTimeout(timer);
        waiting.delete(id);
      }
    },
    settle: (id, result) => waiting.get(id)?.(result),
  };
}
