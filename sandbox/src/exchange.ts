import { request as openRequest, type Agent, type IncomingMessage } from "node:http";

/** What the dispatcher answered; `too_large` when the body went past what the run may return. */
export type Reply = { outcome: string; body: string };

/** One request to the dispatcher, which may stay open with its body unsent. */
export type Exchange = {
  /** Sends the body and reads the answer, of which no more than `maxBytes` are kept. */
  finish(body: string, maxBytes: number): Promise<Reply>;
  abort(): void;
};

export type Endpoint = { agent: Agent; socketPath: string };

// Answers that are not a tool's output are small, but must fit below any output cap.
const MIN_REPLY_BYTES = 256 * 1024;

/** Opens a request for a run. With `sendHeadersNow` its head goes out at once, so that the dispatcher starts. */
export function openExchange(
  endpoint: Endpoint,
  headers: Record<string, string>,
  sendHeadersNow = false,
): Exchange {
  const { agent, socketPath } = endpoint;
  const request = openRequest({ agent, socketPath, method: "POST", path: "/", headers });
  const { promise: response, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  // Nobody may be waiting when the process of a prewarmed request dies.
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

/** Gives the dispatcher a module to load later under its code id. */
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
