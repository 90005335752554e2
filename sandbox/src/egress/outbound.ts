import type { Readable } from "node:stream";
import { parsePrivateHost, privateEntry } from "./declared-hosts.ts";
import { addressesOf, createOutlet, type OutletOptions } from "./outlet.ts";
import { RefusedError } from "./refusal.ts";
import { parseTarget, type Target } from "./target.ts";
import { upstreamFailure } from "./upstream-failure.ts";

/** A request of ours to somebody else's server did not come to an answer. Names the host and the reason. */
export class OutboundError extends Error {
  override name = "OutboundError";
  /** Our own rules forbid it, so that trying again changes nothing. */
  readonly isRefused: boolean;

  constructor(message: string, isRefused: boolean) {
    super(message);
    this.isRefused = isRefused;
  }
}

/** A small request; `circle` names those who may share its connections. */
export type OutboundRequest = {
  circle: string;
  method: string;
  headers: Readonly<Record<string, string>>;
  body?: string | undefined;
};

/** The service's own way to the outside, under the rules that tools are under. */
export type Outbound = {
  /**
   * Sends a request and reads the whole answer. Follows no redirect. Throws `OutboundError` for an address
   * that is not public, plain http to a host that the operator did not open, and what fails outside.
   */
  fetch(url: string, request: OutboundRequest): Promise<Response>;
  /** Whether an address is of a scheme that its host may be asked by: https, or http where that is opened. */
  takesScheme(url: string): boolean;
  close(): Promise<void>;
};

export type OutboundOptions = OutletOptions & {
  /** Hosts on private networks, and by plain http, that the operator opened. */
  privateHosts: readonly string[];
  connectMs: number;
  /** From the start to the last byte. */
  totalMs: number;
  maxAnswerBytes: number;
};

/** Makes the way out. Close it at the end. */
export function createOutbound(options: OutboundOptions): Outbound {
  const outlet = createOutlet(options);
  const opened = options.privateHosts.map(parsePrivateHost).filter((host) => host !== undefined);
  const isSchemeTaken = (target: Target) =>
    target.scheme === "https:" || privateEntry(opened, target) !== undefined;
  const send = async (target: Target, request: OutboundRequest): Promise<Response> => {
    if (!isSchemeTaken(target)) {
      throw new RefusedError(target.name, "it is not asked by https");
    }
    const signal = AbortSignal.timeout(options.totalMs);
    const addresses = await orTimedOut(signal, addressesOf(outlet, target, opened));
    const { circle, method, headers, body } = request;
    const { connectMs } = options;
    const lent = outlet.connections.lend({ circle, target, addresses, connectMs });
    try {
      const answer = await lent.pool.request({
        method,
        path: target.path,
        headers: { ...headers, host: target.name },
        body: body ?? null,
        signal,
      });
      const text = await readBounded(answer.body, options.maxAnswerBytes, target);
      const type = answer.headers["content-type"];
      return toResponse(answer.statusCode, typeof type === "string" ? type : "", text);
    } finally {
      lent.giveBack();
    }
  };
  return {
    fetch: async (url, request) => {
      const target = parseTarget(url);
      if (target === undefined) throw new OutboundError("The address is no http address", true);
      try {
        return await send(target, request);
      } catch (error) {
        throw explained(target, error);
      }
    },
    takesScheme: (url) => {
      const target = parseTarget(url);
      return target !== undefined && isSchemeTaken(target);
    },
    close: () => outlet.connections.close(),
  };
}

/** Only what is looked at later: no header of somebody else's server goes any further. */
function toResponse(status: number, contentType: string, text: string): Response {
  const isOdd = status < 200 || status > 599;
  const isBare = status === 204 || status === 205 || status === 304;
  return new Response(isBare ? null : text, {
    status: isOdd ? 502 : status,
    headers: { "content-type": contentType },
  });
}

async function readBounded(body: Readable, most: number, { name }: Target): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > most) throw new OutboundError(`${name} answered more than ${most} bytes`, false);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function explained(target: Target, error: unknown): OutboundError {
  if (error instanceof OutboundError) return error;
  if (error instanceof RefusedError) {
    return new OutboundError(`${target.name} may not be asked: ${error.reason}`, true);
  }
  if (error instanceof Error && error.name === "TimeoutError") {
    return new OutboundError(`${target.name} did not answer in time`, false);
  }
  return new OutboundError(upstreamFailure(target, error).message, false);
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
