const FINAL_TEXT = 0x81;
const MASKED = 0x80;
const SHORT = 126;
const LONG = 127;
const MASK_BYTES = 4;

/**
 * A text frame of a client (RFC 6455, section 5.2). Its mask is zero, so the payload stays as it is: masks protect proxies, and a
 * unix socket has none.
 */
export function textFrame(payload: Buffer): Buffer {
  const { length } = payload;
  const lengthBytes = length < SHORT ? 0 : length <= 0xffff ? 2 : 8;
  const frame = Buffer.alloc(2 + lengthBytes + MASK_BYTES + length);
  frame[0] = FINAL_TEXT;
  frame[1] = MASKED | (lengthBytes === 0 ? length : lengthBytes === 2 ? SHORT : LONG);
  if (lengthBytes === 2) frame.writeUInt16BE(length, 2);
  if (lengthBytes === 8) frame.writeBigUInt64BE(BigInt(length), 2);
  payload.copy(frame, 2 + lengthBytes + MASK_BYTES);
  return frame;
}

/** Reads one unmasked text frame at a time, of a server that sends nothing before it is asked. */
export class FrameReader {
  #chunks: Buffer[] = [];
  #bytes = 0;
  /** The bytes of the whole frame, once its header was read. */
  #needed: { header: number; total: number } | undefined;

  /**
   * Returns the payload of the frame when it is complete, and "too large" as soon as it declares more than `maxBytes`. Throws if it is
   * another frame, or if anything follows it.
   */
  feed(chunk: Buffer, maxBytes: number): Buffer | "too large" | undefined {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    this.#needed ??= this.#readHeader();
    if (this.#needed === undefined) return undefined;
    const { header, total } = this.#needed;
    if (total - header > maxBytes) return "too large";
    if (this.#bytes < total) return undefined;
    if (this.#bytes > total) throw new Error("Unexpected bytes follow a frame");
    const frame = this.#all();
    this.#chunks = [];
    this.#bytes = 0;
    this.#needed = undefined;
    return frame.subarray(header);
  }

  #readHeader(): { header: number; total: number } | undefined {
    if (this.#bytes < 2) return undefined;
    const bytes = this.#all();
    this.#chunks = [bytes];
    const code = bytes[1] ?? 0;
    if (bytes[0] !== FINAL_TEXT || code >= MASKED) throw new Error("Unexpected kind of frame");
    const lengthBytes = code < SHORT ? 0 : code === SHORT ? 2 : 8;
    const header = 2 + lengthBytes;
    if (bytes.length < header) return undefined;
    const length =
      lengthBytes === 0
        ? code
        : lengthBytes === 2
          ? bytes.readUInt16BE(2)
          : Number(bytes.readBigUInt64BE(2));
    return { header, total: header + length };
  }

  #all(): Buffer {
    const [first] = this.#chunks;
    return this.#chunks.length === 1 && first !== undefined ? first : Buffer.concat(this.#chunks);
  }
}
