import { request as openRequest, type Agent, type IncomingMessage } from "node:http";

/** The dispatcher's response. The outcome is `too_large` if the body exceeds what the run may return. */
export type Reply = { outcome: string; body: string };

/** One request to the dispatcher. It may stay open with its body unsent. */
export type Exchange = {
  /** Sends the body and reads the response, up to `maxBytes`. */
  finish(body: string, maxBytes: number): Promise<Reply>;
  abort(): void;
};

export type Endpoint = { agent: Agent; socketPath: string };

// Responses other than a tool's output, such as errors, may be larger than a small output limit.
const MIN_REPLY_BYTES = 256 * 1024;

/** Opens a request for a run. With `sendHeadersNow`, the dispatcher starts before the body is sent. */
export function openExchange(
  endpoint: Endpoint,
  headers: Record<string, string>,
  sendHeadersNow = false,
): Exchange {
  const { agent, socketPath } = endpoint;
  const request = openRequest({ agent, socketPath, method: "POST", path: "/", headers });
  const { promise: response, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  // When the process of a prewarmed isolate dies, nothing awaits this promise.
  response.catch(() => {});
  request.on("response", resolve);
  request.on("error", reject);
  if (sendHeadersNow) request.flushHeaders();
  return {
    async finish(body, maxBytes) {
      request.end(body);
      return readReply(await response, Math.max(maxBytes, MIN_REPLY_BYTES));
    },
    abort() {
      request.destroy();
    },
  };
}

/** Sends the dispatcher a module, which it loads later by its code ID. */
export async function sendCode(endpoint: Endpoint, codeId: string, module: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const headers = { "x-code": codeId };
  const request = openRequest({ ...endpoint, method: "PUT", path: "/", headers });
  request.on("response", resolve);
  request.on("error", reject);
  request.end(module);
  const response = await promise;
  response.resume();
  if (response.statusCode !== 204)
    throw new Error(`The dispatcher answered ${response.statusCode}`);
}

async function readReply(response: IncomingMessage, maxBytes: number): Promise<Reply> {
  const outcome = response.headers["x-outcome"];
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    if (!(chunk instanceof Buffer)) continue;
    bytes += chunk.length;
    if (bytes > maxBytes) {
      response.destroy();
      return { outcome: "too_large", body: "" };
    }
    chunks.push(chunk);
  }
  return {
    outcome: typeof outcome === "string" ? outcome : "broken",
    body: Buffer.concat(chunks).toString(),
  };
}
