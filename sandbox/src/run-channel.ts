import { connect, type Socket } from "node:net";
import type { DispatcherClient } from "./dispatcher-client.ts";
import { MIN_REPLY_BYTES, openExchange, type Exchange, type Reply } from "./exchange.ts";
import { FrameReader, textFrame } from "./websocket-frames.ts";

/** The dispatcher accepts messages of about a mebibyte. */
const MAX_MESSAGE_BYTES = 512 * 1024;
/** Enough for the line before the body of a reply. */
const FIRST_LINE_BYTES = 256;

// RFC 6455, section 4.1. The key is a nonce against caches in between, and here is nothing in between.
const HANDSHAKE = [
  "GET / HTTP/1.1",
  "host: dispatcher",
  "upgrade: websocket",
  "connection: upgrade",
  "sec-websocket-version: 13",
  "sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==",
  "\r\n",
].join("\r\n");
const HEAD_END = Buffer.from("\r\n\r\n");
const MAX_HEAD_BYTES = 16 * 1024;

type Pending = PromiseWithResolvers<Reply> & { maxBytes: number };

/**
 * A WebSocket to a dispatcher over its unix socket, for runs in reused isolates, one at a time. A message costs both sides half as
 * much as an HTTP request. It connects with the first run, and again after a failure.
 */
export class RunChannel {
  readonly #socketPath: string;
  #connection: Connection | undefined;

  constructor(socketPath: string) {
    this.#socketPath = socketPath;
  }

  /** Sends a message of at most `MAX_MESSAGE_BYTES`. The reply is `too_large` if it has more than `maxBytes`. */
  call(message: Buffer, maxBytes: number): Promise<Reply> {
    if (this.#connection?.isOpen !== true) this.#connection = new Connection(this.#socketPath);
    return this.#connection.call(message, maxBytes);
  }

  close(): void {
    this.#connection?.destroy();
  }
}

class Connection {
  isOpen = true;
  readonly #socket: Socket;
  #reader: FrameReader | undefined;
  #head: Buffer = Buffer.alloc(0);
  #pending: Pending | undefined;
  /** The message that waits for the handshake. */
  #waiting: Buffer | undefined;

  constructor(path: string) {
    this.#socket = connect({ path });
    this.#socket.on("data", (chunk: Buffer) => this.#read(chunk));
    this.#socket.on("error", (error) => this.#fail(error));
    this.#socket.on("close", () => this.#fail(new Error("The dispatcher closed the channel")));
    this.#socket.write(HANDSHAKE);
  }

  call(message: Buffer, maxBytes: number): Promise<Reply> {
    if (this.#pending !== undefined) throw new Error("The channel serves one run at a time");
    this.#pending = { ...Promise.withResolvers<Reply>(), maxBytes };
    const frame = textFrame(message);
    if (this.#reader === undefined) this.#waiting = frame;
    else this.#socket.write(frame);
    return this.#pending.promise;
  }

  destroy(): void {
    this.isOpen = false;
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    try {
      if (this.#reader === undefined) this.#readHead(chunk);
      else this.#readFrames(chunk);
    } catch (error) {
      this.#fail(error);
    }
  }

  #readHead(chunk: Buffer): void {
    this.#head = Buffer.concat([this.#head, chunk]);
    const end = this.#head.indexOf(HEAD_END);
    if (end < 0 && this.#head.length <= MAX_HEAD_BYTES) return;
    if (!this.#head.toString("latin1", 0, 13).startsWith("HTTP/1.1 101 ")) {
      throw new Error("The dispatcher refused the channel");
    }
    this.#reader = new FrameReader();
    const rest = this.#head.subarray(end + HEAD_END.length);
    this.#head = Buffer.alloc(0);
    if (this.#waiting !== undefined) this.#socket.write(this.#waiting);
    this.#waiting = undefined;
    if (rest.length > 0) this.#readFrames(rest);
  }

  #readFrames(chunk: Buffer): void {
    const pending = this.#pending;
    if (pending === undefined) throw new Error("The dispatcher responded without a request");
    const payload = this.#reader?.feed(chunk, pending.maxBytes);
    if (payload === undefined) return;
    this.#pending = undefined;
    if (payload !== "too large") {
      pending.resolve(toReply(payload));
      return;
    }
    this.destroy();
    pending.resolve({ outcome: "too_large", body: "", hasLines: true });
  }

  #fail(error: unknown): void {
    this.destroy();
    this.#pending?.reject(error);
    this.#pending = undefined;
  }
}

/** A run in a reused isolate: a message on the channel, unless it is too long for one. */
export function openCall(
  process: { channel: RunChannel; client: DispatcherClient },
  { codeId, nonce, isolate }: { codeId: string; nonce: string; isolate: string },
): Exchange {
  let long: Exchange | undefined;
  return {
    finish: async (body, maxBytes) => {
      const message = Buffer.from(`${codeId} ${nonce} ${isolate} ${maxBytes}\n${body}`);
      if (message.length <= MAX_MESSAGE_BYTES) {
        const maxReplyBytes = Math.max(maxBytes, MIN_REPLY_BYTES) + FIRST_LINE_BYTES;
        return process.channel.call(message, maxReplyBytes);
      }
      const headers = { "x-code": codeId, "x-nonce": nonce, "x-isolate": isolate };
      long = openExchange(process.client, headers);
      return long.finish(body, maxBytes);
    },
    abort: () => long?.abort(),
  };
}

/** Whether the isolate has written lines, the outcome and the body. The tool may have written any of it. */
function toReply(payload: Buffer): Reply {
  const text = payload.toString();
  const end = text.indexOf("\n");
  const outcome = end < 0 ? "broken" : text.slice(1, end);
  return { outcome, body: text.slice(end + 1), hasLines: !text.startsWith("-") };
}
