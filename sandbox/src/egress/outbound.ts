import type { Readable } from "node:stream";
import { deliver, type DeliveryRequest, type DeliveryResponse } from "./deliver.ts";
import { download, type Download, type DownloadOptions } from "./download.ts";
import { open, type OpenRequest, type OpenResponse } from "./open.ts";
import { EgressDeniedError } from "./egress-errors.ts";
import { explained, OutboundError } from "./outbound-error.ts";
import {
  createOutboundClient,
  headerOf,
  targetOf,
  type OutboundRequest,
} from "./outbound-client.ts";
import { createEgressNetwork, type EgressNetworkOptions } from "./egress-network.ts";
import { parseTarget, type Target } from "./target.ts";

/** The service's own network access, under the same rules as tools. */
export type Outbound = {
  /**
   * Sends a request and reads the whole response. Follows no redirects. Throws `OutboundError` if the address is not
   * public, if the URL is plain HTTP and the operator has not allowed its host, and if the request fails.
   */
  fetch: (url: string, request: OutboundRequest) => Promise<Response>;
  /** Sends a request and returns the status and a few headers of the response. Follows no redirects. Throws `OutboundError`. */
  deliver(url: string, request: DeliveryRequest): Promise<DeliveryResponse>;
  /** Streams a file, following a few redirects under the same rules. Throws `OutboundError`, also while it is read. */
  download(url: string, options: DownloadOptions): Promise<Download>;
  /** Sends a request and streams the response. Follows no redirects. Throws `OutboundError`, also while it is read. */
  open(url: string, request: OpenRequest): Promise<OpenResponse>;
  /** Whether a URL's scheme is allowed for its host: HTTPS always, plain HTTP if the operator allowed the host. */
  allowsScheme(url: string): boolean;
  /**
   * Why requests to a URL are not allowed: its scheme, or an address that its host resolves to now. Undefined if they are, or if
   * the name cannot be resolved.
   */
  explainDenied(url: string): Promise<string | undefined>;
  /** As `explainDenied`, from the text of the URL alone: nothing is resolved, so the answer says nothing about private DNS. */
  explainDeniedText(url: string): string | undefined;
  close(): Promise<void>;
};

export type OutboundOptions = EgressNetworkOptions & {
  /** Hosts that the operator allowed on private networks and over plain HTTP. */
  privateHosts: readonly string[];
  connectMs: number;
  /** Timeout from the start to the last byte. */
  totalMs: number;
  maxAnswerBytes: number;
};

/** Creates the service's network access. The caller must close it. */
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
    deliver: (url, request) => deliver(client, url, request),
    download: (url, how) => download(client, url, how),
    open: (url, request) => open(client, url, request),
    allowsScheme: (url) => {
      const target = parseTarget(url);
      return target !== undefined && client.isSchemeAllowed(target);
    },
    explainDenied: async (url) => {
      const target = parseTarget(url);
      if (target === undefined) return invalidUrl;
      try {
        client.checkText(target);
        await client.check(target, AbortSignal.timeout(options.connectMs));
        return undefined;
      } catch (error) {
        return denialOf(target, error);
      }
    },
    explainDeniedText: (url) => {
      const target = parseTarget(url);
      if (target === undefined) return invalidUrl;
      try {
        client.checkText(target);
        return undefined;
      } catch (error) {
        return denialOf(target, error);
      }
    },
    close: () => network.connections.close(),
  };
}

const invalidUrl = "The URL is not a valid HTTP or HTTPS URL";

function denialOf(target: Target, error: unknown): string | undefined {
  return error instanceof EgressDeniedError ? explained(target, error).message : undefined;
}

/** Copies only what callers use, so that no other header of an external server is passed on. */
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
    if (bytes > most) throw new OutboundError(`${name} sent more than ${most} bytes`, false);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
