import type { Dispatcher } from "undici";
import { parsePrivateHost, findPrivateHost } from "./declared-hosts.ts";
import { OutboundError } from "./outbound-error.ts";
import { checkWritten, resolveAddresses, type EgressNetwork } from "./egress-network.ts";
import { EgressDeniedError } from "./egress-errors.ts";
import { parseTarget, type Target } from "./target.ts";

/** A small request. Requests with the same `connectionGroup` share connections. */
export type OutboundRequest = {
  connectionGroup: string;
  method: string;
  headers: Readonly<Record<string, string>>;
  body?: string | undefined;
};

/** A response whose body must be read, on a connection that must be released. */
type OpenAnswer = { answer: Dispatcher.ResponseData; release: () => void };

/** Sends requests to external servers under the same rules as tools: over HTTPS unless the operator allowed the host. */
export type OutboundClient = {
  isSchemeAllowed(target: Target): boolean;
  /** Throws `EgressDeniedError` if the target's text alone shows that requests are not allowed. Asks no DNS server. */
  checkText(target: Target): void;
  /** Throws `EgressDeniedError` if requests to the target are not allowed, and when its name cannot be resolved. */
  check(target: Target, signal: AbortSignal): Promise<readonly string[]>;
  send(target: Target, request: OutboundRequest, signal: AbortSignal): Promise<OpenAnswer>;
};

const httpsRequired = "HTTPS is required";

type Options = { network: EgressNetwork; privateHosts: readonly string[]; connectMs: number };

/** Creates a client for the service's own requests. */
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
  const checkText = (target: Target) => {
    checkWritten(network, target, allowedPrivateHosts);
    if (!isSchemeAllowed(target)) throw new EgressDeniedError(target.name, httpsRequired);
  };
  const check = async (target: Target, signal: AbortSignal) => {
    if (!isSchemeAllowed(target)) throw new EgressDeniedError(target.name, httpsRequired);
    return orTimedOut(signal, resolveAddresses(network, target, allowedPrivateHosts));
  };
  return {
    isSchemeAllowed,
    checkText,
    check,
    send: async (target, { connectionGroup, method, headers, body }, signal) => {
      const addresses = await check(target, signal);
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

/** Parses a URL. Throws `OutboundError` if it is not an HTTP URL. */
export function targetOf(url: string): Target {
  const target = parseTarget(url);
  if (target === undefined)
    throw new OutboundError("The URL is not a valid HTTP or HTTPS URL", true);
  return target;
}

/** A response header. Undefined if it is missing or repeated. */
export function headerOf({ headers }: Dispatcher.ResponseData, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" ? value : undefined;
}

/** Rejects when the signal aborts, because DNS lookups may take long. */
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
