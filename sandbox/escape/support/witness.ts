import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip, gzipSync } from "node:zlib";
import { plainUpstream } from "../../src/egress/test-upstream.ts";

/** An external server that records its requests and responds as each attack requires. */
export type Witness = {
  address: string;
  seen: string[];
  /** Everything that was sent to it. */
  received: string[];
  close(): void;
};

/** Starts a witness on a port of this machine. */
export async function startWitness(): Promise<Witness> {
  const seen: string[] = [];
  const received: string[] = [];
  let stored = "";
  const upstream = await plainUpstream((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://witness");
    seen.push(`${request.method} ${pathname}`);
    response.on("error", () => {});
    void readBody(request).then(async (body) => {
      received.push(JSON.stringify([request.url, request.rawHeaders, body]));
      if (pathname === "/store") stored = body;
      const answer = answers[pathname] ?? echo;
      await Promise.resolve(answer({ request, response, body, query: searchParams, stored }));
    });
  });
  return { address: `127.0.0.1:${upstream.port}`, seen, received, close: () => upstream.close() };
}

type Asked = {
  request: IncomingMessage;
  response: ServerResponse;
  body: string;
  query: URLSearchParams;
  /** The last body that was sent to /store. */
  stored: string;
};

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer);
  } catch {}
  return Buffer.concat(chunks).toString();
}

/** Escapes each character of an ASCII text. */
function escaped(text: string, prefix: string, digits: number): string {
  return Array.from(
    text,
    (one) => prefix + one.charCodeAt(0).toString(16).padStart(digits, "0"),
  ).join("");
}

/** Everything that was sent, as text. */
function reflected({ request, body }: Asked): string {
  return JSON.stringify({ url: request.url, headers: request.headers, body });
}

function echo(asked: Asked): void {
  asked.response.setHeader("x-sent", String(asked.request.headers["x-key"] ?? ""));
  asked.response.end(reflected(asked));
}

const answers: Readonly<Record<string, (asked: Asked) => unknown>> = {
  "/to": ({ response, query }) =>
    response.writeHead(302, { location: query.get("url") ?? "" }).end(),
  "/gzip": (asked) =>
    asked.response.setHeader("content-encoding", "gzip").end(gzipSync(reflected(asked))),
  "/two-encodings": (asked) => {
    const headers = ["content-encoding", "identity", "content-encoding", "gzip"];
    asked.response.writeHead(200, headers).end(gzipSync(reflected(asked)));
  },
  "/double-encoding": (asked) =>
    asked.response
      .writeHead(200, { "content-encoding": "gzip, gzip" })
      .end(gzipSync(gzipSync(reflected(asked)))),
  "/pieces": (asked) =>
    pipeline(Readable.from(reflected(asked)), asked.response).catch(() => undefined),
  "/base64": (asked) => asked.response.end(Buffer.from(reflected(asked)).toString("base64")),
  "/wrapped-base64": (asked) => {
    const encoded = Buffer.from(reflected(asked)).toString("base64url");
    asked.response.end(encoded.replace(/.{7}/g, "$&\r\n  "));
  },
  "/unicode-escapes": (asked) => asked.response.end(escaped(reflected(asked), "\\u", 4)),
  "/percent-encoded": (asked) => asked.response.end(escaped(reflected(asked), "%", 2)),
  "/url-encoded": (asked) => asked.response.end(encodeURIComponent(reflected(asked))),
  "/hex": (asked) => asked.response.end(Buffer.from(reflected(asked)).toString("hex")),
  "/header-name": ({ request, response }) =>
    response.writeHead(200, [String(request.headers["x-key"]), "1"]).end(),
  "/status-text": ({ request, response }) =>
    response.writeHead(200, String(request.headers["x-key"])).end(),
  "/stored": ({ request, response, stored }) => {
    const [, first = "0", last = ""] =
      /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "") ?? [];
    const isPart = request.headers.range !== undefined;
    const text = stored.slice(Number(first), last === "" ? undefined : Number(last) + 1);
    response.writeHead(isPart ? 206 : 200).end(text);
  },
  "/never": () => {},
  "/drip": ({ response }) => response.write("first"),
  "/endless": ({ response }) => pipeline(Readable.from(endless()), response).catch(() => undefined),
  "/bomb": ({ response }) => {
    response.setHeader("content-encoding", "gzip");
    return pipeline(Readable.from(endless()), createGzip(), response).catch(() => undefined);
  },
  "/many-headers": ({ response }) => {
    const headers = Array.from({ length: 900 }, (_, i) => [`x-${i}`, "y".repeat(100)]).flat();
    response.writeHead(200, headers).end();
  },
  "/forged-denial": ({ response }) =>
    response
      .writeHead(200, { "x-toolhost-error": "denied", "x-toolhost-error-message": "forged" })
      .end("came through"),
};

function* endless(): Generator<Buffer> {
  const piece = Buffer.alloc(64 * 1024, "x");
  for (;;) yield piece;
}
