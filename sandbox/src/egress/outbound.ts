import type { Readable } from "node:stream";
import { download, type Download, type DownloadOptions } from "./download.ts";
import { explained, OutboundError } from "./outbound-error.ts";
import {
  createOutboundClient,
  headerOf,
  targetOf,
  type OutboundRequest,
} from "./outbound-client.ts";
import { createEgressNetwork, type EgressNetworkOptions } from "./egress-network.ts";
import { parseTarget, type Target } from "./target.ts";

/** The service's own way to the outside, under the rules that tools are under. */
export type Outbound = {
  /**
   * Sends a request and reads the whole answer. Follows no redirect. Throws `OutboundError` for an address
   * that is not public, plain http to a host that the operator did not open, and what fails outside.
   */
  fetch(url: string, request: OutboundRequest): Promise<Response>;
  /** Gets a file bit by bit, over a few redirects, each under the same rules. Throws the same, also while it is read. */
  download(url: string, options: DownloadOptions): Promise<Download>;
  /** Whether an address is of a scheme that its host may be asked by: https, or http where that is opened. */
  allowsScheme(url: string): boolean;
  close(): Promise<void>;
};

export type OutboundOptions = EgressNetworkOptions & {
  /** Hosts on private networks, and by plain http, that the operator opened. */
  privateHosts: readonly string[];
  connectMs: number;
  /** From the start to the last byte. */
  totalMs: number;
  maxAnswerBytes: number;
};

/** Makes the way out. Close it at the end. */
export function createOutbound(options: OutboundOptions): Outbound {
  const network = createEgressNetwork(options);
  const client = createOutboundClient({ ...options, network });
  return {
    fetch: async (url, request) => {
      const target = targetOf(url);
      try {
        const signal = AbortSignal.timeout(options.totalMs);
        const { answer, release } = await client.send(target, request, signal);
        try {
          const text = await readBounded(answer.body, options.maxAnswerBytes, target);
          return toResponse(answer.statusCode, headerOf(answer, "content-type") ?? "", text);
        } finally {
          release();
        }
      } catch (error) {
        throw explained(target, error);
      }
    },
    download: (url, how) => download(client, url, how),
    allowsScheme: (url) => {
      const target = parseTarget(url);
      return target !== undefined && client.isSchemeAllowed(target);
    },
    close: () => network.connections.close(),
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
