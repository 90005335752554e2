import {
  headerOf,
  targetOf,
  type OutboundClient,
  type OutboundRequest,
} from "./outbound-client.ts";
import { explained } from "./outbound-error.ts";
import { readBody } from "./read-body.ts";

/** A request whose response is streamed. Aborting the signal ends the request and the stream. */
export type OpenRequest = OutboundRequest & { signal: AbortSignal };

/** A response whose bytes are still arriving. The caller must read them to the end, leave the loop, or call `drop`. */
export type OpenResponse = {
  status: number;
  /** A header. Undefined if it is missing or repeated. */
  header(name: string): string | undefined;
  bytes: AsyncIterable<Uint8Array>;
  /** Closes the connection without reading the bytes. */
  drop(): void;
};

/** Sends a request and streams the response. Follows no redirects. Throws `OutboundError`, also while it is read. */
export async function open(
  client: OutboundClient,
  url: string,
  { signal, ...request }: OpenRequest,
): Promise<OpenResponse> {
  const target = targetOf(url);
  try {
    const { answer, release } = await client.send(target, request, signal);
    const status = answer.statusCode;
    const header = (name: string) => headerOf(answer, name);
    return { status, header, ...readBody(target, answer.body, release) };
  } catch (error) {
    throw explained(target, error);
  }
}
