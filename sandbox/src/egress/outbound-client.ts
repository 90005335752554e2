import type { Dispatcher } from "undici";
import { parsePrivateHost, findPrivateHost } from "./declared-hosts.ts";
import { OutboundError } from "./outbound-error.ts";
import { resolveAddresses, type EgressNetwork } from "./egress-network.ts";
import { EgressDeniedError } from "./egress-errors.ts";
import { parseTarget, type Target } from "./target.ts";

/** A small request; `connectionGroup` names those who may share its connections. */
export type OutboundRequest = {
  connectionGroup: string;
  method: string;
  headers: Readonly<Record<string, string>>;
  body?: string | undefined;
};

/** An answer whose body is still to be read, on a connection that is to be given back. */
type OpenAnswer = { answer: Dispatcher.ResponseData; release: () => void };

/** Asks others' servers under the rules that tools are under, by https unless the operator opened the host. */
export type OutboundClient = {
  isSchemeAllowed(target: Target): boolean;
  send(target: Target, request: OutboundRequest, signal: AbortSignal): Promise<OpenAnswer>;
};

type Options = { network: EgressNetwork; privateHosts: readonly string[]; connectMs: number };

/** Makes an client of requests that the service itself sends. */
export function createOutboundClient({
  network,
  privateHosts,
  connectMs,
}: Options): OutboundClient {
  const allowedPrivateHosts = privateHosts
    .map(parsePrivateHost)
    .filter((host) => host !== undefined);
  const isSchemeAllowed = (target: Target) =>
    target.scheme === "https:" || findPrivateHost(allowedPrivateHosts, target) !== undefined;
  return {
    isSchemeAllowed,
    send: async (target, { connectionGroup, method, headers, body }, signal) => {
      if (!isSchemeAllowed(target))
        throw new EgressDeniedError(target.name, "it is not asked by https");
      const addresses = await orTimedOut(
        signal,
        resolveAddresses(network, target, allowedPrivateHosts),
      );
      const connection = network.connections.acquire({
        connectionGroup,
        target,
        addresses,
        connectMs,
      });
      try {
        const answer = await connection.pool.request({
          method,
          path: target.path,
          headers: { ...headers, host: target.name },
          body: body ?? null,
          signal,
        });
        return { answer, release: () => connection.release() };
      } catch (error) {
        connection.release();
        throw error;
      }
    },
  };
}

/** Where an address leads. Throws `OutboundError` for one that leads nowhere. */
export function targetOf(url: string): Target {
  const target = parseTarget(url);
  if (target === undefined) throw new OutboundError("The address is no http address", true);
  return target;
}

/** One header of an answer; undefined when there is none, or several. */
export function headerOf({ headers }: Dispatcher.ResponseData, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" ? value : undefined;
}

/** Names may take long to resolve. */
async function orTimedOut<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const end = () => reject(signal.reason);
  signal.addEventListener("abort", end, { once: true });
  try {
    return await Promise.race([promise, late]);
  } finally {
    signal.removeEventListener("abort", end);
    promise.catch(() => {});
  }
}
