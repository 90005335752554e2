import type * as Http from "node:http";
import { createRequire } from "node:module";
import { Readable } from "node:stream";
import type { Fetch, FetchResponse } from "@toolhost/client";
import { CliError } from "./terminal/cli-error.ts";
import { exitCodes } from "./terminal/exit-codes.ts";
import { version } from "./version.ts";

// Importing these as modules, and the global fetch, load WebSockets and the cache of HTTP as well, which takes longer than a run.
const require = createRequire(import.meta.url);

const bytesPerMb = 1_048_576;

/**
 * Sends a request with the HTTP client of Node.js, which starts faster than the global `fetch`. Redirects are not followed. A text
 * over 64 MB is an error.
 */
export const nodeFetch: Fetch = (url, init) => fetchLimited(url, init, 64 * bytesPerMb);

/** The same for small responses, of at most 1 MB. */
export const smallFetch: Fetch = (url, init) => fetchLimited(url, init, bytesPerMb);

async function fetchLimited(
  url: string,
  { method, headers, body, signal }: Parameters<Fetch>[1],
  maxBytes: number,
): Promise<FetchResponse> {
  signal?.throwIfAborted();
  const { request } = require(url.startsWith("https:") ? "node:https" : "node:http") as typeof Http;
  const content = toContent(body);
  const options: Http.RequestOptions = {
    ...(method === undefined ? {} : { method }),
    headers: {
      "user-agent": `toolhost-cli/${version}`,
      ...content.headers,
      ...(headers as Record<string, string> | undefined),
    },
  };
  const message = await new Promise<Http.IncomingMessage>((resolve, reject) => {
    let incoming: Http.IncomingMessage | undefined;
    const outgoing = request(url, options, (found) => resolve((incoming = found)));
    outgoing.on("error", reject);
    const abort = () => (incoming ?? outgoing).destroy(toError(signal?.reason));
    signal?.addEventListener("abort", abort, { once: true });
    outgoing.once("close", () => signal?.removeEventListener("abort", abort));
    if (typeof content.data === "string") outgoing.end(content.data);
    else content.data.once("error", (error) => outgoing.destroy(error)).pipe(outgoing);
  });
  return toResponse(message, url, maxBytes);
}

type Content = { data: string | Readable; headers: Record<string, string> };

function toContent(body: RequestInit["body"]): Content {
  if (body === undefined || body === null) return { data: "", headers: {} };
  if (body instanceof Blob) {
    const data = Readable.fromWeb(body.stream() as Parameters<typeof Readable.fromWeb>[0]);
    return { data, headers: { "content-length": String(body.size) } };
  }
  if (body instanceof URLSearchParams) {
    const headers = { "content-type": "application/x-www-form-urlencoded;charset=UTF-8" };
    return { data: body.toString(), headers };
  }
  if (typeof body === "string") return { data: body, headers: {} };
  throw new TypeError("Only texts, forms and blobs can be sent.");
}

const emptyStatuses: ReadonlySet<number> = new Set([204, 205, 304]);

/** Reads a text. Throws if it is too large: an endless response would exhaust the memory. */
async function readText(message: Http.IncomingMessage, url: string, maxBytes: number) {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) {
      message.destroy();
      const limit = `${maxBytes / bytesPerMb} MB`;
      throw new CliError(`${new URL(url).origin} sent a response of more than ${limit}.`, {
        code: "response_too_large",
        exitCode: exitCodes.unavailable,
      });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function toResponse(message: Http.IncomingMessage, url: string, maxBytes: number): FetchResponse {
  const { statusCode: status = 0, statusMessage: statusText = "", headers } = message;
  const entries = Object.entries(headers).map(([name, value = ""]): [string, string] => [
    name,
    [value].flat().join(", "),
  ]);
  const text = () => readText(message, url, maxBytes);
  let body: ReadableStream<Uint8Array<ArrayBuffer>> | undefined;
  return {
    status,
    statusText,
    url,
    ok: status >= 200 && status < 300,
    headers: {
      get: (name) => entries.find(([found]) => found === name.toLowerCase())?.[1] ?? null,
      forEach: (callback) => {
        for (const [name, value] of entries) callback(value, name);
      },
    },
    get body() {
      if (emptyStatuses.has(status)) return null;
      body ??= Readable.toWeb(message) as ReadableStream<Uint8Array<ArrayBuffer>>;
      return body;
    },
    text,
    json: async () => JSON.parse(await text()) as unknown,
  };
}

const toError = (reason: unknown) => (reason instanceof Error ? reason : new Error(String(reason)));
