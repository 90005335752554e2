import { randomUUID } from "node:crypto";
import { request } from "node:http";

/** A response, with its body parsed if it is JSON. */
export type Answer = {
  status: number;
  headers: Headers;
  text: string;
  // Responses have many shapes.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
};

export type Call = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string | undefined>,
) => Promise<Answer>;

/**
 * Calls REST as `identity`, with a new Idempotency-Key for writes. A text body is sent unchanged. A header with the value
 * undefined is omitted.
 */
export function createCall(baseUrl: () => string, identity: () => Record<string, string>): Call {
  return async (method, path, body, headers = {}) => {
    const isWrite = !["GET", "HEAD", "OPTIONS"].includes(method);
    const all = {
      ...identity(),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(isWrite ? { "idempotency-key": randomUUID() } : {}),
      ...headers,
    };
    const response = await fetch(`${baseUrl()}/api/v1${path}`, {
      method,
      headers: withoutUndefined(all),
      ...(body === undefined
        ? {}
        : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    return toAnswer(response.status, response.headers, await response.text());
  };
}

type RawRequest = {
  method: string;
  /** Sent unchanged, without resolving dots or escapes. */
  path: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** Sends the body without a Content-Length. */
  isChunked?: boolean;
};

/** A raw request, such as well-behaved clients do not send. */
export function callRaw(baseUrl: string, raw: RawRequest): Promise<Answer> {
  const { hostname, port } = new URL(baseUrl);
  const length = raw.body === undefined ? 0 : Buffer.byteLength(raw.body);
  return new Promise((resolve, reject) => {
    const outgoing = request({
      hostname,
      port,
      method: raw.method,
      path: raw.path,
      agent: false,
      headers: {
        ...(raw.body === undefined || raw.isChunked === true ? {} : { "content-length": length }),
        ...raw.headers,
      },
    });
    let isAnswered = false;
    outgoing.once("response", (incoming) => {
      isAnswered = true;
      const headers = new Headers();
      for (const [name, values] of Object.entries(incoming.headersDistinct)) {
        for (const value of values ?? []) headers.append(name, value);
      }
      const chunks: Buffer[] = [];
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
      incoming.once("error", reject);
      incoming.once("end", () => {
        resolve(toAnswer(incoming.statusCode ?? 0, headers, Buffer.concat(chunks).toString()));
      });
    });
    // A server that rejects a body early may close the connection before all of it is sent.
    outgoing.on("error", (error) => (isAnswered ? undefined : reject(error)));
    if (raw.isChunked === true) outgoing.flushHeaders();
    outgoing.end(raw.body);
  });
}

function toAnswer(status: number, headers: Headers, text: string): Answer {
  const isJson = /json/.test(headers.get("content-type") ?? "") && text !== "";
  return { status, headers, text, body: isJson ? (JSON.parse(text) as unknown) : undefined };
}

function withoutUndefined(headers: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
