import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { EgressLease, Permit } from "./egress-lease.ts";
import { headersIn, headersOut, valuesOf } from "./headers.ts";
import { meter } from "./meter.ts";
import { RefusedError } from "./refusal.ts";
import type { Target } from "./target.ts";
import { upstreamFailure } from "./upstream-failure.ts";

/**
 * A request as it leaves, made from what the tool asked for and nothing else of ours. Whatever is to
 * stand in it in the place of something that the tool wrote is put in where it is made, `outgoingFrom`.
 */
type Outgoing = {
  method: string;
  path: string;
  /** Names and values in a flat list. */
  headers: string[];
  body: Readable | null;
};

/** An answer as it came. What must not reach the tool is taken out where it is passed on, `relay`. */
type Incoming = {
  statusCode: number;
  statusText: string;
  headers: string[];
  body: Readable;
};

/** Sends a tool's request where it goes and streams the answer back. Throws what a lease throws. */
export async function forward(
  lease: EgressLease,
  target: Target,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const controller = new AbortController();
  // The tool, or its whole process, no longer waits for the answer.
  response.once("close", () => controller.abort());
  await lease.letOut(target, controller, async (permit) => {
    const { addresses } = permit;
    const { circle } = lease.holder;
    const { connectMs } = lease.policy.limits;
    const lent = lease.outlet.connections.lend({ circle, target, addresses, connectMs });
    try {
      const outgoing = outgoingFrom(request, target, permit);
      const answer = await lent.pool.request({
        ...outgoing,
        signal: controller.signal,
        responseHeaders: "raw",
      });
      const headers = rawHeaders(answer.headers);
      await relay({ ...answer, headers }, permit, response);
    } catch (error) {
      if (error instanceof RefusedError) {
        if (response.headersSent) lease.cutReason = error.message;
        throw error;
      }
      throw upstreamFailure(target, error);
    } finally {
      lent.giveBack();
    }
  });
}

function outgoingFrom(request: IncomingMessage, { path }: Target, permit: Permit): Outgoing {
  const { method = "GET", rawHeaders: raw } = request;
  return { method, path, headers: headersOut(raw), body: bodyOf(request, permit) };
}

function bodyOf(request: IncomingMessage, permit: Permit): Readable | null {
  const [length] = valuesOf(request.rawHeaders, "content-length");
  const isChunked = valuesOf(request.rawHeaders, "transfer-encoding").length > 0;
  if (!isChunked && (length === undefined || length === "0")) return null;
  permit.sent.expect(Number(length ?? 0));
  const metered = meter(permit.sent.count);
  metered.on("error", () => {});
  request.once("close", () => {
    if (!request.complete) metered.destroy();
  });
  // Not `pipeline`, which would take the connection down with a body that is cut.
  return request.pipe(metered);
}

/** Streams an answer to the tool as it came, but for headers that are not meant for it. */
async function relay(answer: Incoming, permit: Permit, response: ServerResponse): Promise<void> {
  const { statusCode, statusText, body } = answer;
  body.on("error", () => {});
  response.sendDate = false;
  response.strictContentLength = true;
  response.removeHeader("connection");
  try {
    if (response.req.method !== "HEAD" && statusCode !== 304) {
      const [length = 0] = valuesOf(answer.headers, "content-length");
      permit.received.expect(Number(length));
    }
    response.writeHead(statusCode, statusText, headersIn(answer.headers));
  } catch (error) {
    body.destroy();
    throw error;
  }
  response.flushHeaders();
  await pipeline(body, meter(permit.received.count), response);
}

/** Asked for raw headers, the client answers with them where its type says otherwise. */
function rawHeaders(headers: unknown): string[] {
  if (!Array.isArray(headers)) throw new TypeError("The headers are not raw");
  return headers.map(String);
}
