import type { IncomingMessage, ServerResponse } from "node:http";
import { PassThrough, Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { EgressLease } from "./egress-lease.ts";
import { headersOut } from "./headers.ts";
import type { InternalService } from "./internal-service.ts";
import { UpstreamError } from "./egress-errors.ts";
import type { Target } from "./target.ts";

/** Passes a tool's request to a service, streaming both ways. Throws what `EgressLease` throws. */
export async function serveInternally(
  lease: EgressLease,
  { service, target }: { service: InternalService; target: Target },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const controller = new AbortController();
  response.once("close", () => controller.abort());
  await lease.serveInternally(target, controller, async () => {
    try {
      const { signal } = controller;
      const answer = await service(toRequest(request, target, signal), signal);
      await send(answer, response, signal);
    } catch {
      throw new UpstreamError("fetch failed", { isUnsent: false });
    }
  });
}

function toRequest(request: IncomingMessage, { host, path }: Target, signal: AbortSignal): Request {
  const { method = "GET", rawHeaders } = request;
  const headers = new Headers();
  const list = headersOut(rawHeaders);
  for (let i = 0; i + 1 < list.length; i += 2) headers.append(list[i] ?? "", list[i + 1] ?? "");
  const init = { method, headers };
  if (method === "GET" || method === "HEAD") return new Request(`http://${host}${path}`, init);
  return new Request(`http://${host}${path}`, {
    ...init,
    body: bodyOf(request, signal),
    duplex: "half",
  });
}

/** The request body. Fails if the connection closes early, and leaves it open if the body is not read. */
function bodyOf(request: IncomingMessage, signal: AbortSignal): ReadableStream<Uint8Array> {
  const body = new PassThrough();
  const cut = () => body.destroy(new Error("The request body was cut off"));
  body.on("error", () => {});
  signal.addEventListener("abort", cut, { once: true });
  request.once("close", () => {
    if (!request.complete) cut();
  });
  // Not `pipeline`, which would close the connection when the service does not read the body.
  request.pipe(body);
  return Readable.toWeb(body) as ReadableStream<Uint8Array>;
}

async function send(
  answer: Response,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const { status, headers, body } = answer;
  response.sendDate = false;
  response.writeHead(status, Object.fromEntries(headers));
  if (body === null) {
    response.end();
    return;
  }
  await pipeline(Readable.fromWeb(body), response, { signal });
}
