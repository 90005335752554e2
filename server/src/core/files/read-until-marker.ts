import { ServiceError } from "#core/kernel";

/**
 * Yields the bytes before an end marker. Throws `invalid_request` if the stream ends without it, because a broken
 * connection ends the stream like a complete one.
 */
export async function* readUntilMarker(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  marker: string,
): AsyncGenerator<Uint8Array> {
  const expected = Buffer.from(marker);
  let pending = Buffer.alloc(0);
  for await (const chunk of bytes) {
    const all = pending.length === 0 ? asBuffer(chunk) : Buffer.concat([pending, chunk]);
    const safeLength = Math.max(0, all.length - expected.length);
    if (safeLength > 0) yield all.subarray(0, safeLength);
    // Copied, because the chunk's memory may be reused.
    pending = Buffer.from(all.subarray(safeLength));
  }
  if (expected.length > 0 && pending.equals(expected)) return;
  throw new ServiceError(
    "invalid_request",
    "The file ended before it was complete. Send it again.",
  );
}

function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
