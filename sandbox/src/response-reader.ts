const HEAD_END = Buffer.from("\r\n\r\n");
const LINE_END = Buffer.from("\r\n");
const MAX_HEAD_BYTES = 64 * 1024;
const MAX_LINE_BYTES = 1024;
const NOTHING = Buffer.alloc(0);

type State = "head" | "body" | "size" | "chunk" | "chunk end" | "trailer" | "done";

/**
 * Reads one HTTP/1.1 response from the chunks of a connection. The length of its body must be declared, or the body be chunked.
 * Throws if it is malformed.
 */
export class ResponseReader {
  status = 0;
  outcome: string | undefined;
  maxBytes: number;
  /** Whether the connection can be used again. */
  isKeptAlive = true;
  #state: State = "head";
  #pending: Buffer = NOTHING;
  #left = 0;
  #bytes = 0;
  readonly #parts: Buffer[] = [];

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  get isDone(): boolean {
    return this.#state === "done";
  }

  get isTooLarge(): boolean {
    return this.#bytes > this.maxBytes;
  }

  get body(): string {
    const [first] = this.#parts;
    if (this.#parts.length === 1 && first !== undefined) return first.toString();
    return Buffer.concat(this.#parts).toString();
  }

  /** Reads a chunk. Throws if anything follows the response, because nothing else was requested. */
  feed(chunk: Buffer): void {
    let rest = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    this.#pending = NOTHING;
    while (!this.isTooLarge) {
      const next = this.#advance(rest);
      if (next === undefined) {
        this.#pending = rest;
        return;
      }
      rest = next;
      if (this.#state !== "done") continue;
      if (rest.length > 0) throw new Error("Unexpected bytes follow a response");
      return;
    }
  }

  /** Consumes a part of the bytes and returns the others. Undefined if it needs more of them. */
  #advance(bytes: Buffer): Buffer | undefined {
    if (this.#state === "head") return this.#readHead(bytes);
    if (this.#state === "body" || this.#state === "chunk") return this.#readBody(bytes);
    const end = bytes.indexOf(LINE_END);
    if (end < 0) {
      if (bytes.length > MAX_LINE_BYTES) throw new Error("A line of a response is too long");
      return undefined;
    }
    this.#readLine(bytes.toString("latin1", 0, end));
    return bytes.subarray(end + LINE_END.length);
  }

  #readHead(bytes: Buffer): Buffer | undefined {
    const end = bytes.indexOf(HEAD_END);
    if (end < 0) {
      if (bytes.length > MAX_HEAD_BYTES) throw new Error("The headers of a response are too long");
      return undefined;
    }
    const [statusLine = "", ...lines] = bytes.toString("latin1", 0, end).split("\r\n");
    const status = /^HTTP\/1\.1 (\d{3})\b/.exec(statusLine)?.[1];
    if (status === undefined) throw new Error(`Invalid status line: ${statusLine.slice(0, 100)}`);
    this.status = Number(status);
    // RFC 9110, sections 15.3.5 and 15.4.5: these have no body.
    let length: number | undefined = this.status === 204 || this.status === 304 ? 0 : undefined;
    for (const line of lines) {
      const colon = line.indexOf(":");
      const name = line.slice(0, colon).toLowerCase();
      const value = line.slice(colon + 1).trim();
      if (name === "x-outcome") this.outcome ??= value;
      else if (name === "content-length") length = parseSize(value, 10);
      else if (name === "transfer-encoding") this.#state = "size";
      else if (name === "connection" && value.toLowerCase() === "close") this.isKeptAlive = false;
    }
    if (this.#state !== "size") {
      if (length === undefined) throw new Error("A response has no length");
      this.#state = length === 0 ? "done" : "body";
      this.#left = length;
    }
    return bytes.subarray(end + HEAD_END.length);
  }

  #readBody(bytes: Buffer): Buffer | undefined {
    if (bytes.length === 0) return undefined;
    const part = bytes.subarray(0, this.#left);
    this.#parts.push(part);
    this.#bytes += part.length;
    this.#left -= part.length;
    if (this.#left === 0) this.#state = this.#state === "body" ? "done" : "chunk end";
    return bytes.subarray(part.length);
  }

  #readLine(line: string): void {
    if (this.#state === "chunk end") {
      if (line !== "") throw new Error("A chunk of a response is longer than declared");
      this.#state = "size";
    } else if (this.#state === "trailer") {
      if (line === "") this.#state = "done";
    } else {
      this.#left = parseSize(line, 16);
      this.#state = this.#left === 0 ? "trailer" : "chunk";
    }
  }
}

function parseSize(text: string, radix: 10 | 16): number {
  const isValid = (radix === 10 ? /^\d{1,15}$/ : /^[\da-f]{1,12}$/i).test(text);
  if (!isValid) throw new Error(`Invalid length in a response: ${text.slice(0, 100)}`);
  return Number.parseInt(text, radix);
}
