import { createHash } from "node:crypto";
import { open, rm } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";
import type { FilesContext } from "./context.ts";
import { ServiceError } from "#core/kernel";
import { newId } from "#lib/ids";
import { imageTypeOf, signatureBytes } from "./image-type.ts";

/** Bytes that have arrived completely and are not a file yet. */
export type Spooled = {
  path: string;
  size: number;
  /** In lower-case hex. */
  sha256: string;
  /** The detected type, if it is an image that browsers can show safely. */
  imageType: string | null;
  /** Deletes the bytes, unless the storage has moved them. */
  discard(): Promise<void>;
};

type Bytes = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/**
 * Writes bytes to a local temporary file, one chunk in memory at a time, and syncs it to the disk. Throws
 * `payload_too_large` beyond `maxBytes` and `invalid_request` if the sender disconnects, and then deletes the file.
 */
export async function spool(
  { fileStorage }: Pick<FilesContext, "fileStorage">,
  bytes: Bytes,
  maxBytes: number,
): Promise<Spooled> {
  const path = join(fileStorage.incomingDir, newId());
  const discard = () => rm(path, { force: true });
  const file = await unlessFull(() => open(path, "wx", 0o600));
  try {
    const measured = await collect(file, bytes, maxBytes);
    await unlessFull(() => file.datasync());
    return { path, ...measured, discard };
  } catch (error) {
    await discard();
    throw error;
  } finally {
    await file.close();
  }
}

async function collect(file: FileHandle, bytes: Bytes, maxBytes: number) {
  const hash = createHash("sha256");
  let start = Buffer.alloc(0);
  let size = 0;
  for await (const chunk of unlessCutOff(bytes)) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge(maxBytes);
    hash.update(chunk);
    if (start.length < signatureBytes) {
      start = Buffer.concat([start, chunk.subarray(0, signatureBytes)]);
    }
    await unlessFull(() => file.writeFile(chunk));
  }
  return { size, sha256: hash.digest("hex"), imageType: imageTypeOf(start) };
}

/** The error for a file that exceeds the size limit. */
export function tooLarge(maxBytes: number): ServiceError {
  const size = maxBytes % mebibyte === 0 ? `${maxBytes / mebibyte} MiB` : `${maxBytes} bytes`;
  return new ServiceError("payload_too_large", `The file is too large. The maximum is ${size}.`);
}

const mebibyte = 1_048_576;

/** Reports a disconnected sender as a client error. */
async function* unlessCutOff(bytes: Bytes): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes;
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause;
    throw new ServiceError(
      "invalid_request",
      "The request body ended before it was complete. Send it again.",
      { cause },
    );
  }
}

async function unlessFull<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
    if (code !== "ENOSPC" && code !== "EDQUOT") throw cause;
    throw new ServiceError(
      "unavailable",
      "The server's file storage is full. Retry later, or contact the operator.",
      {
        cause,
        retryAfterSeconds: 60,
      },
    );
  }
}
