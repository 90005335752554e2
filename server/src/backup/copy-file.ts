import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";

/** Size and SHA-256 (in lower-case hex) of a file's content. */
export type Content = { size: number; sha256: string };

/**
 * Copies a file to a new file that only this user can read, and syncs it to the disk. Returns what was read. Throws if
 * the source is missing or the target exists.
 */
export async function copyFile(from: string, to: string): Promise<Content> {
  const source = await open(from, "r");
  try {
    await mkdir(dirname(to), { recursive: true, mode: 0o700 });
    const target = await open(to, "wx", 0o600);
    try {
      const chunks = source.createReadStream({ autoClose: false });
      const content = await readContent(chunks, (chunk) => target.writeFile(chunk));
      await target.sync();
      return content;
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/** Reads a file to its end. */
export function measureFile(path: string): Promise<Content> {
  return readContent(createReadStream(path), async () => undefined);
}

async function readContent(
  chunks: AsyncIterable<Buffer>,
  onChunk: (chunk: Buffer) => Promise<void>,
): Promise<Content> {
  const hash = createHash("sha256");
  let size = 0;
  for await (const chunk of chunks) {
    hash.update(chunk);
    size += chunk.length;
    await onChunk(chunk);
  }
  return { size, sha256: hash.digest("hex") };
}

const maxParallel = 8;

/**
 * Calls `work` for each item, several at a time. After an error no further item is started, and the error is thrown
 * when the others have ended.
 */
export async function forEachParallel<T>(
  items: AsyncIterable<T> | Iterable<T>,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const pending = new Set<Promise<void>>();
  const errors: unknown[] = [];
  for await (const item of items) {
    const task: Promise<void> = work(item)
      .catch((error: unknown) => void errors.push(error))
      .finally(() => pending.delete(task));
    pending.add(task);
    if (pending.size >= maxParallel) await Promise.race(pending);
    if (errors.length > 0) break;
  }
  await Promise.all(pending);
  if (errors.length > 0) throw errors[0];
}
