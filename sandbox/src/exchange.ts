import type { Connection, DispatcherClient } from "./dispatcher-client.ts";
import type { ResponseReader } from "./response-reader.ts";

/**
 * The dispatcher's response. The outcome is `too_large` if the body exceeds what the run may return. `hasLines` is false if the
 * isolate wrote no lines, so that no `end` follows them.
 */
export type Reply = { outcome: string; body: string; hasLines: boolean };

/** One request to the dispatcher. It may stay open with its body unsent. */
export type Exchange = {
  /** Sends the body and reads the response, up to `maxBytes`. */
  finish(body: string, maxBytes: number): Promise<Reply>;
  abort(): void;
};

// Responses other than a tool's output, such as errors, may be larger than a small output limit.
export const MIN_REPLY_BYTES = 256 * 1024;

/** Opens a request for a run. With `sendHeadersNow`, the dispatcher starts before the body is sent. */
export function openExchange(
  client: DispatcherClient,
  headers: Readonly<Record<string, string>>,
  sendHeadersNow = false,
): Exchange {
  if (!sendHeadersNow) {
    let connection: Connection | undefined;
    return {
      finish: async (body, maxBytes) => {
        connection = client.take();
        const request = head("POST", headers, Buffer.byteLength(body)) + body;
        return toReply(await connection.request(request, Math.max(maxBytes, MIN_REPLY_BYTES)));
      },
      abort: () => connection?.destroy(),
    };
  }
  const connection = client.take();
  const start = head("POST", { ...headers, "transfer-encoding": "chunked" });
  const response = connection.request(start, MIN_REPLY_BYTES, false);
  // When the process of a prewarmed isolate dies, nothing awaits this promise.
  response.catch(() => {});
  return {
    finish: async (body, maxBytes) => {
      const chunk = `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n`;
      connection.finish(chunk, Math.max(maxBytes, MIN_REPLY_BYTES));
      return toReply(await response);
    },
    abort: () => connection.destroy(),
  };
}

function toReply(response: ResponseReader): Reply {
  if (response.isTooLarge) return { outcome: "too_large", body: "", hasLines: true };
  return { outcome: response.outcome ?? "broken", body: response.body, hasLines: true };
}

/** Sends the dispatcher a module, which it loads later by its code ID. */
export async function sendCode(
  client: DispatcherClient,
  codeId: string,
  module: string,
): Promise<void> {
  const request = head("PUT", { "x-code": codeId }, Buffer.byteLength(module)) + module;
  const { status } = await client.take().request(request, MIN_REPLY_BYTES);
  if (status !== 204) throw new Error(`The dispatcher answered ${status}`);
}

function head(method: string, headers: Readonly<Record<string, string>>, length?: number): string {
  let text = `${method} / HTTP/1.1\r\nhost: dispatcher\r\n`;
  for (const name in headers) text += `${name}: ${headers[name]}\r\n`;
  return length === undefined ? `${text}\r\n` : `${text}content-length: ${length}\r\n\r\n`;
}
