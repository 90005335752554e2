import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { readFileSync } from "node:fs";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { EgressLease } from "./egress-lease.ts";
import { forward } from "./forward.ts";
import { EgressDeniedError, RunEndedError, UpstreamError } from "./egress-errors.ts";
import { serveInternally } from "./serve-internally.ts";
import { parseTarget } from "./target.ts";

const ERROR_HEADER = "x-toolhost-error";
const MESSAGE_HEADER = "x-toolhost-error-message";
const ISOLATE_HEADER = "x-toolhost-isolate";
const UNREADABLE = "(unreadable address)";
const MAX_CONNECTIONS = 1_200;
/** What each process may have however many the others hold. */
const OWN_CONNECTIONS = 32;
const MAX_DRAINED_BYTES = 8 * 1024 * 1024;
const MAX_HEADER_BYTES = 64 * 1024;

/**
 * The far end of one process's only way out. Who asks follows from the lease, never from the request:
 * between two runs, and for work that an earlier one left behind, everything is refused.
 */
export class EgressGate {
  readonly #server: Server;
  #lease: EgressLease | undefined;
  #connections = 0;

  private constructor() {
    const options = {
      // Requests come with their full address in the request line and need no Host header.
      requireHostHeader: false,
      maxHeaderSize: MAX_HEADER_BYTES,
      // The other side decides how long connections live and bodies take; the run's end closes all.
      keepAliveTimeout: 0,
      requestTimeout: 0,
    };
    this.#server = createServer(
      options,
      (request, response) => void this.#serve(request, response),
    );
    this.#server.maxConnections = MAX_CONNECTIONS;
    this.#server.on("connect", (request: IncomingMessage, socket: Duplex) =>
      this.#denyRaw(request, socket, "tools may not open raw connections"),
    );
    this.#server.on("upgrade", (request: IncomingMessage, socket: Duplex) =>
      this.#denyRaw(request, socket, "tools may not open WebSockets"),
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
    // What comes while this service is busy must find room to wait.
    gate.#server.listen({ path, backlog: MAX_CONNECTIONS }, resolve);
    await promise;
    return gate;
  }

  /** How many its process holds open. */
  get connections(): number {
    return this.#connections;
  }

  /** Opens the gate for one run. */
  admit(lease: EgressLease): void {
    this.revoke();
    this.#lease = lease;
  }

  /** Closes it and ends at once what the run has under way. */
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
    const isLate = allConnections > maxConnections && this.#connections > OWN_CONNECTIONS;
    if (isLate) socket.destroy();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.on("error", () => request.destroy());
    response.on("error", () => response.destroy());
    try {
      const lease = this.#leaseOf(request);
      const target = parseTarget(request.url ?? "");
      if (target === undefined) {
        throw lease.deny(UNREADABLE, "it is no http or https address");
      }
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
      // What is connected to stands there as `host:port`.
      const { url = "" } = request;
      const name = (parseTarget(url) ?? parseTarget(`https://${url}`))?.name;
      return this.#leaseOf(request).deny(name ?? UNREADABLE, reason);
    } catch (error) {
      return error;
    }
  }

  #leaseOf(request: IncomingMessage): EgressLease {
    const lease = this.#lease;
    // The dispatcher sets this header over whatever the tool wrote there.
    if (lease === undefined || request.headers[ISOLATE_HEADER] !== lease.holder.isolate) {
      throw new RunEndedError();
    }
    return lease;
  }
}

// One process may open many connections, all together not so many that we could open none or hold too much.
let allConnections = 0;
const maxConnections = Math.min(4_096, openFilesLimit() / 2);

function openFilesLimit(): number {
  const limits = readFileSync("/proc/self/limits", "latin1");
  return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Infinity);
}

function answerError(response: ServerResponse, error: unknown): void {
  if (response.headersSent) response.destroy();
  else response.writeHead(403, headersOf(error)).end();
}

/** Tells the dispatcher what to throw in the tool; in headers, since not every answer has a body. */
function headersOf(error: unknown): Record<string, string> {
  const isDenied = error instanceof EgressDeniedError || error instanceof RunEndedError;
  const isKnown = isDenied || error instanceof UpstreamError;
  const message = isKnown ? error.message : "fetch failed";
  return {
    [ERROR_HEADER]: isDenied ? "denied" : "failed",
    [MESSAGE_HEADER]: encodeURIComponent(message.toWellFormed()),
    "content-length": "0",
  };
}

// Reading a body to its end lets the answer arrive; an endless one is cut.
function drain(request: IncomingMessage): void {
  let bytes = 0;
  request.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_DRAINED_BYTES) request.destroy();
  });
  request.resume();
}
