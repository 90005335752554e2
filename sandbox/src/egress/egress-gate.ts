import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { EgressLease } from "./egress-lease.ts";
import { forward } from "./forward.ts";
import { openFilesLimit, processOpenFiles } from "../open-files.ts";
import { EgressDeniedError, RunEndedError, UpstreamError } from "./egress-errors.ts";
import { serveInternally } from "./serve-internally.ts";
import { parseTarget } from "./target.ts";

const ERROR_HEADER = "x-toolhost-error";
const MESSAGE_HEADER = "x-toolhost-error-message";
const ISOLATE_HEADER = "x-toolhost-isolate";
const UNREADABLE = "(invalid URL)";
/** A process needs some of its file descriptors for other things, and crashes when none is left. */
const MAX_CONNECTIONS = Math.floor((processOpenFiles * 1_200) / 2_048);
/** Connections that each process may open even when the others have used up the shared limit. */
const OWN_CONNECTIONS = 32;
const MAX_DRAINED_BYTES = 8 * 1024 * 1024;
const MAX_HEADER_BYTES = 64 * 1024;

/**
 * The service's end of a process's only network access. The lease determines which run a request belongs to, never the
 * request itself. Between two runs, and for leftover work of an earlier one, every request is denied.
 */
export class EgressGate {
  readonly #server: Server;
  #lease: EgressLease | undefined;
  #connections = 0;

  private constructor() {
    const options = {
      // Requests have the full URL in the request line and need no Host header.
      requireHostHeader: false,
      maxHeaderSize: MAX_HEADER_BYTES,
      // No timeouts: the end of the run closes all connections.
      keepAliveTimeout: 0,
      requestTimeout: 0,
    };
    this.#server = createServer(
      options,
      (request, response) => void this.#serve(request, response),
    );
    this.#server.maxConnections = MAX_CONNECTIONS;
    this.#server.on("connect", (request: IncomingMessage, socket: Duplex) =>
      this.#denyRaw(request, socket, "raw connections are not allowed"),
    );
    this.#server.on("upgrade", (request: IncomingMessage, socket: Duplex) =>
      this.#denyRaw(request, socket, "WebSockets are not allowed"),
    );
    this.#server.on("connection", (socket: Socket) => this.#count(socket));
    this.#server.on("clientError", (_error, socket) => socket.destroy());
    this.#server.unref();
  }

  /** Listens on a unix socket at `path`. */
  static async listen(path: string): Promise<EgressGate> {
    const gate = new EgressGate();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    gate.#server.once("error", reject);
    // Connections that arrive while this thread is busy must fit into the backlog.
    gate.#server.listen({ path, backlog: MAX_CONNECTIONS }, resolve);
    await promise;
    return gate;
  }

  /** How many connections the process has open. */
  get connections(): number {
    return this.#connections;
  }

  /** Opens the gate for one run. */
  admit(lease: EgressLease): void {
    this.revoke();
    this.#lease = lease;
  }

  /** Closes the gate and aborts the run's open requests. */
  revoke(): void {
    this.#lease?.close();
    this.#lease = undefined;
  }

  close(): void {
    this.revoke();
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #count(socket: Socket): void {
    this.#connections += 1;
    allConnections += 1;
    socket.once("close", () => {
      this.#connections -= 1;
      allConnections -= 1;
    });
    const isOverLimit = allConnections > maxConnections && this.#connections > OWN_CONNECTIONS;
    if (isOverLimit) socket.destroy();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.on("error", () => request.destroy());
    response.on("error", () => response.destroy());
    try {
      const lease = this.#leaseOf(request);
      const target = parseTarget(request.url ?? "");
      if (target === undefined) {
        throw lease.deny(UNREADABLE, "it is not a valid HTTP or HTTPS URL");
      }
      await lease.ready();
      if (response.destroyed) return;
      const service = lease.serviceOf(target);
      await (service === undefined
        ? forward(lease, target, request, response)
        : serveInternally(lease, { service, target }, request, response));
    } catch (error) {
      answerError(response, error);
    }
    if (!request.complete) drain(request);
  }

  #denyRaw(request: IncomingMessage, socket: Duplex, reason: string): void {
    socket.on("error", () => socket.destroy());
    const headers = { ...headersOf(this.#denialOf(request, reason)), connection: "close" };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 403 Forbidden\r\n${lines.join("")}\r\n`);
  }

  #denialOf(request: IncomingMessage, reason: string): unknown {
    try {
      // CONNECT requests state the target as `host:port`.
      const { url = "" } = request;
      const name = (parseTarget(url) ?? parseTarget(`https://${url}`))?.name;
      return this.#leaseOf(request).deny(name ?? UNREADABLE, reason);
    } catch (error) {
      return error;
    }
  }

  #leaseOf(request: IncomingMessage): EgressLease {
    const lease = this.#lease;
    // The dispatcher overwrites this header, so the tool cannot forge it.
    if (lease === undefined || request.headers[ISOLATE_HEADER] !== lease.holder.isolate) {
      throw new RunEndedError();
    }
    return lease;
  }
}

// All processes together may use a quarter of the service's file descriptors: each request takes two, one of them outside.
let allConnections = 0;
const maxConnections = Math.min(4_096, openFilesLimit / 8);

function answerError(response: ServerResponse, error: unknown): void {
  if (response.headersSent) response.destroy();
  else response.writeHead(403, headersOf(error)).end();
}

/** Sends the dispatcher the error to throw in the tool. In headers, because not every response has a body. */
function headersOf(error: unknown): Record<string, string> {
  const isDenied = error instanceof EgressDeniedError || error instanceof RunEndedError;
  const isKnown = isDenied || error instanceof UpstreamError;
  const isUnsent = error instanceof UpstreamError && error.isUnsent;
  const message = isKnown ? error.message : "fetch failed";
  return {
    [ERROR_HEADER]: isDenied ? "denied" : isUnsent ? "unreachable" : "failed",
    [MESSAGE_HEADER]: encodeURIComponent(message.toWellFormed()),
    "content-length": "0",
  };
}

// The response arrives only after the request body was read to its end. An endless one is cut off.
function drain(request: IncomingMessage): void {
  let bytes = 0;
  request.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_DRAINED_BYTES) request.destroy();
  });
  request.resume();
}
