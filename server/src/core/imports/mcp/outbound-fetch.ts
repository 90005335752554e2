import type { Outbound } from "@toolhost/sandbox";
import type { Fetch } from "./client/mcp-client.ts";
import { McpServerError } from "./mcp-server-error.ts";

/** What all requests of one listing share. */
export type Budget = { connectionGroup: string; bytesLeft: number };

/** Headers of a server that are used. No others are passed on. */
const usedHeaders = ["content-type", "mcp-session-id", "www-authenticate", "location"];

/** `fetch` under the egress rules of the service, within a budget of bytes. */
export function outboundFetch(outbound: Outbound, budget: Budget, signal: AbortSignal): Fetch {
  const { connectionGroup } = budget;
  return async (url, { method, headers, body }) => {
    const answer = await outbound.open(url, { connectionGroup, method, headers, body, signal });
    const { status, bytes } = answer;
    const drop = () => answer.drop();
    const received = usedHeaders.flatMap((name): [string, string][] => {
      const value = answer.header(name);
      return value === undefined ? [] : [[name, value]];
    });
    const init = { status: status >= 200 && status <= 599 ? status : 502, headers: received };
    if (status === 204 || status === 205 || status === 304) {
      drop();
      return new Response(null, init);
    }
    return new Response(streamOf(within(bytes, budget), drop), init);
  };
}

async function* within(bytes: AsyncIterable<Uint8Array>, budget: Budget) {
  for await (const chunk of bytes) {
    budget.bytesLeft -= chunk.length;
    if (budget.bytesLeft < 0) {
      throw new McpServerError(
        "too_large",
        "The server sent more than this service reads. It may list too many tools.",
      );
    }
    yield chunk;
  }
}

/** Unlike `ReadableStream.from`, releases the connection also if nothing was read. */
function streamOf(chunks: AsyncGenerator<Uint8Array>, drop: () => void) {
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { value, done } = await chunks.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    cancel: drop,
  });
}
