import { ServiceError } from "#core/kernel";

/**
 * The bytes before a mark that ends them. Throws `invalid_request` when they end without it: then whoever
 * sends them broke off, which their stream alone does not show.
 */
export async function* untilMark(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  mark: string,
): AsyncGenerator<Uint8Array> {
  const wanted = Buffer.from(mark);
  let held = Buffer.alloc(0);
  for await (const chunk of bytes) {
    const all = held.length === 0 ? asBuffer(chunk) : Buffer.concat([held, chunk]);
    const sure = Math.max(0, all.length - wanted.length);
    if (sure > 0) yield all.subarray(0, sure);
    // A copy, for the chunk's memory may be used again.
    held = Buffer.from(all.subarray(sure));
  }
  if (wanted.length > 0 && held.equals(wanted)) return;
  throw new ServiceError(
    "invalid_request",
    "The file ended before it was complete. Send it again.",
  );
}

function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
