import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

const chunk = Buffer.alloc(64 * 1024, "0123456789abcdef");

/** A stream of many bytes between a head and a tail, generated in chunks. */
export function* largeBody(size: number, head = "", tail = ""): Generator<Buffer> {
  if (head !== "") yield Buffer.from(head);
  for (let left = size; left > 0; left -= chunk.length) yield chunk.subarray(0, left);
  if (tail !== "") yield Buffer.from(tail);
}

/** The SHA-256 of what {@link largeBody} yields between head and tail. */
export function hashOf(chunks: Iterable<Uint8Array>): string {
  const hash = createHash("sha256");
  for (const part of chunks) hash.update(part);
  return hash.digest("hex");
}

/** Streams a body, and returns the status and text of the response. */
export async function sendBody(
  url: string,
  { method, headers }: { method: string; headers: Record<string, string | number> },
  body: Iterable<Buffer>,
): Promise<{ status: number; text: string }> {
  const sending = request(url, { method, headers, agent: false });
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>();
  sending.once("response", (answer) => {
    const parts: Buffer[] = [];
    answer.on("data", (part: Buffer) => parts.push(part));
    answer.once("error", reject);
    answer.once("end", () => {
      resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(parts).toString() });
    });
  });
  sending.once("error", reject);
  // A server that rejects a body early closes the connection; its response counts.
  await pipeline(Readable.from(body), sending).catch(() => undefined);
  return promise;
}

/** Reads a response to its end, and returns its size and hash. */
export async function readAway(response: Response): Promise<{ size: number; sha256: string }> {
  const hash = createHash("sha256");
  let size = 0;
  for await (const part of response.body ?? []) {
    hash.update(part);
    size += part.byteLength;
  }
  return { size, sha256: hash.digest("hex") };
}

/** Starts measuring the memory of a process. The result is the increase from now to the maximum, in bytes. */
export function measureMemory(pid: number): () => number {
  // Resets the kernel's maximum (proc(5), clear_refs).
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
  const before = readKilobytes(pid, "VmRSS");
  return () => (readKilobytes(pid, "VmHWM") - before) * 1024;
}

function readKilobytes(pid: number, name: string): number {
  const status = readFileSync(`/proc/${pid}/status`, "latin1");
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1]);
}
