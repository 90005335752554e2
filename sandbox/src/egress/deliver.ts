import type { Readable } from "node:stream";
import type { OutboundRequest, OutboundClient } from "./outbound-client.ts";
import { headerOf, targetOf } from "./outbound-client.ts";
import { explained } from "./outbound-error.ts";

/** A request of which only the status matters, and how much of the response is read so that the connection can be used again. */
export type DeliveryRequest = OutboundRequest & { signal: AbortSignal; maxBytes: number };

export type DeliveryResponse = {
  status: number;
  retryAfter: string | undefined;
  /** All values of `WWW-Authenticate`. */
  challenge: string | undefined;
};

/**
 * Sends a request and returns the status and a few headers of the response. Follows no redirects. A body that is too long, too slow or that
 * breaks off does not change the result. Throws `OutboundError`.
 */
export async function deliver(
  client: OutboundClient,
  url: string,
  { signal, maxBytes, ...request }: DeliveryRequest,
): Promise<DeliveryResponse> {
  const target = targetOf(url);
  try {
    const { answer, release } = await client.send(target, request, signal);
    await discard(answer.body, maxBytes);
    release();
    const challenge = answer.headers["www-authenticate"];
    return {
      status: answer.statusCode,
      retryAfter: headerOf(answer, "retry-after"),
      challenge: Array.isArray(challenge) ? challenge.join(", ") : challenge,
    };
  } catch (error) {
    throw explained(target, error);
  }
}

/** Reads a body to its end, or destroys it after `most` bytes. */
async function discard(body: Readable, most: number): Promise<void> {
  let bytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > most) break;
    }
  } catch {}
}
