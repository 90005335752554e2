import { createServer, type IncomingMessage, type Server } from "node:http";
import type { Duplex } from "node:stream";

/** Whose requests a process may make now: the run it is leased to, and the isolate that serves it. */
export type EgressLease = { runId: string; isolate: string };

/** What a tool asks for. `target` is the full address, or `host:port` of a raw connection. */
type EgressRequest = { method: string; target: string };

/** Why a request does not leave, in words for the tool. */
export type Refusal = { message: string };

const REFUSAL_HEADER = "x-toolhost-refusal";
const ISOLATE_HEADER = "x-toolhost-isolate";
const MAX_CONNECTIONS = 64;
const MAX_DRAINED_BYTES = 8 * 1024 * 1024;

/**
 * The one place that decides what leaves the sandbox. It refuses everything today; `lease` is
 * undefined between two runs and for work that an earlier run left behind.
 */
function decide(request: EgressRequest, lease: EgressLease | undefined): Refusal {
  if (lease === undefined) {
    return { message: "egress_denied: the run that asks for this is over" };
  }
  return { message: `egress_denied: this tool may not reach ${hostOf(request.target)}` };
}

function hostOf(target: string): string {
  return URL.canParse(target) ? new URL(target).host : target;
}

/** The far end of one process's only way out. Who asks follows from the lease, never from the request. */
export class EgressGate {
  readonly #server: Server;
  #lease: EgressLease | undefined;

  private constructor() {
    // Requests come with their full address in the request line and need no Host header.
    this.#server = createServer({ requireHostHeader: false }, (request, response) => {
      const refusal = this.#decide(request);
      drain(request);
      response.writeHead(403, { [REFUSAL_HEADER]: "1", "content-type": "text/plain" });
      response.end(refusal.message);
    });
    this.#server.maxConnections = MAX_CONNECTIONS;
    const refuseRaw = (request: IncomingMessage, socket: Duplex) => {
      const { message } = this.#decide(request);
      const head = `HTTP/1.1 403 Forbidden\r\n${REFUSAL_HEADER}: 1\r\nconnection: close\r\n`;
      socket.on("error", () => socket.destroy());
      socket.end(`${head}content-length: ${Buffer.byteLength(message)}\r\n\r\n${message}`);
    };
    this.#server.on("connect", refuseRaw);
    this.#server.on("upgrade", refuseRaw);
    this.#server.on("clientError", (_error, socket) => socket.destroy());
    this.#server.unref();
  }

  /** Listens on a unix socket at `path`. */
  static async listen(path: string): Promise<EgressGate> {
    const gate = new EgressGate();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    gate.#server.once("error", reject);
    gate.#server.listen(path, resolve);
    await promise;
    return gate;
  }

  admit(lease: EgressLease): void {
    this.#lease = lease;
  }

  revoke(): void {
    this.#lease = undefined;
  }

  close(): void {
    this.revoke();
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #decide(request: IncomingMessage): Refusal {
    const asked = { method: request.method ?? "GET", target: request.url ?? "" };
    // The dispatcher sets this header over whatever the tool wrote there.
    const isCurrent = request.headers[ISOLATE_HEADER] === this.#lease?.isolate;
    return decide(asked, isCurrent ? this.#lease : undefined);
  }
}

// Reading a body to its end lets the refusal arrive; an endless one is cut.
function drain(request: IncomingMessage): void {
  let bytes = 0;
  request.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_DRAINED_BYTES) request.destroy();
  });
  request.on("error", () => request.destroy());
}
