import { Buffer } from "node:buffer";

/** A message between the service and a build: a small JSON header and a body. */
export type Frame = { header: unknown; body: Buffer };

export type FrameLimits = { headerBytes: number; bodyBytes: number };

/** A message is too large or malformed. */
class FrameError extends Error {
  override name = "FrameError";
}

const empty = Buffer.alloc(0);

export function encodeFrame(header: object, body: Buffer = empty): Buffer {
  const json = Buffer.from(JSON.stringify(header));
  const lengths = Buffer.alloc(8);
  lengths.writeUInt32BE(json.length, 0);
  lengths.writeUInt32BE(body.length, 4);
  return Buffer.concat([lengths, json, body]);
}

/** Reads messages from a stream. Throws `FrameError` before buffering more than the limits allow. */
export async function* readFrames(
  stream: AsyncIterable<Buffer>,
  limits: FrameLimits,
): AsyncGenerator<Frame> {
  let chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    bytes += chunk.length;
    for (;;) {
      const needed = lengthOf(chunks, bytes, limits);
      if (needed === undefined || bytes < needed.total) break;
      const all = chunks.length === 1 ? (chunks[0] ?? empty) : Buffer.concat(chunks);
      yield decode(all, needed);
      bytes -= needed.total;
      chunks = bytes === 0 ? [] : [all.subarray(needed.total)];
    }
  }
}

type Lengths = { header: number; total: number };

function lengthOf(chunks: Buffer[], bytes: number, limits: FrameLimits): Lengths | undefined {
  if (bytes < 8) return undefined;
  const start = (chunks[0]?.length ?? 0) >= 8 ? (chunks[0] ?? empty) : Buffer.concat(chunks);
  const [header, body] = [start.readUInt32BE(0), start.readUInt32BE(4)];
  if (header > limits.headerBytes || body > limits.bodyBytes) {
    throw new FrameError(`a message of ${header} and ${body} bytes is too large`);
  }
  return { header, total: 8 + header + body };
}

function decode(bytes: Buffer, { header, total }: Lengths): Frame {
  try {
    return {
      header: JSON.parse(bytes.toString("utf8", 8, 8 + header)) as unknown,
      body: bytes.subarray(8 + header, total),
    };
  } catch (cause) {
    throw new FrameError("a message is not JSON", { cause });
  }
}
