import { connect, type Socket } from "node:net";
import { ResponseReader } from "./response-reader.ts";

/** workerd closes connections after 5 s idle. This side must stop using them earlier to avoid a race. */
const IDLE_CONNECTION_MS = 3_000;

/** A client of a dispatcher, with connections that stay open between requests. */
export class DispatcherClient {
  readonly #socketPath: string;
  readonly #all = new Set<Connection>();
  #free: Connection[] = [];

  constructor(socketPath: string) {
    this.#socketPath = socketPath;
  }

  /** An idle connection, or a new one. */
  take(): Connection {
    const usableSince = performance.now() - IDLE_CONNECTION_MS;
    for (let free = this.#free.pop(); free !== undefined; free = this.#free.pop()) {
      if (free.isOpen && free.idleSince > usableSince) return free;
      free.destroy();
    }
    const connection = new Connection(connect({ path: this.#socketPath }), {
      release: () => this.#free.push(connection),
      forget: () => this.#all.delete(connection),
    });
    this.#all.add(connection);
    return connection;
  }

  close(): void {
    this.#free = [];
    for (const connection of this.#all) connection.destroy();
  }
}

type Owner = { release: () => void; forget: () => void };

/** A connection to a dispatcher, which serves one request at a time. */
export class Connection {
  idleSince = 0;
  isOpen = true;
  readonly #socket: Socket;
  readonly #owner: Owner;
  #reader: ResponseReader | undefined;
  #response: PromiseWithResolvers<ResponseReader> | undefined;
  #isSent = true;

  constructor(socket: Socket, owner: Owner) {
    this.#socket = socket;
    this.#owner = owner;
    socket.on("data", (chunk: Buffer) => this.#read(chunk));
    socket.on("error", (error) => this.#fail(error));
    socket.on("close", () => this.#fail(new Error("The dispatcher closed the connection")));
  }

  /**
   * Sends a request, or the first part of one, and resolves with its response. The reader stops when the body has more than
   * `maxBytes`.
   */
  request(text: string, maxBytes: number, isComplete = true): Promise<ResponseReader> {
    this.#reader = new ResponseReader(maxBytes);
    this.#response = Promise.withResolvers();
    this.#isSent = isComplete;
    if (this.isOpen) this.#socket.write(text);
    else this.#response.reject(new Error("The connection is closed"));
    return this.#response.promise;
  }

  /** Sends the last part of a request, whose response may have up to `maxBytes`. */
  finish(text: string, maxBytes: number): void {
    if (this.#reader === undefined || !this.isOpen) return;
    this.#isSent = true;
    this.#reader.maxBytes = maxBytes;
    this.#socket.write(text);
  }

  destroy(): void {
    this.isOpen = false;
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    const reader = this.#reader;
    const response = this.#response;
    if (reader === undefined || response === undefined) {
      this.#fail(new Error("The dispatcher responded without a request"));
      return;
    }
    try {
      reader.feed(chunk);
    } catch (error) {
      this.#fail(error);
      return;
    }
    if (!reader.isDone && !reader.isTooLarge) return;
    this.#reader = undefined;
    this.#response = undefined;
    // The rest of a request or response would be taken for a part of the next.
    const isSent = this.#isSent && this.#socket.writableLength === 0;
    if (reader.isDone && reader.isKeptAlive && isSent && this.isOpen) {
      this.idleSince = performance.now();
      this.#owner.release();
    } else {
      this.destroy();
    }
    response.resolve(reader);
  }

  #fail(error: unknown): void {
    this.destroy();
    this.#owner.forget();
    this.#response?.reject(error);
    this.#response = undefined;
    this.#reader = undefined;
  }
}
