import { promisify } from "node:util";
import { deflateRaw, inflateRaw } from "node:zlib";
import type { LogEntry } from "@toolhost/sandbox";
import type { LogLine } from "@toolhost/contract";
import { toTimestamp } from "#lib/clock";

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/** A run's log as it is stored: JSON lines, deflated. Undefined for an empty log. */
export async function packLogs(
  entries: readonly LogEntry[],
): Promise<{ lineCount: number; body: Buffer } | undefined> {
  if (entries.length === 0) return undefined;
  const text = entries.map((entry) => JSON.stringify(entry)).join("\n");
  return { lineCount: entries.length, body: await deflate(text) };
}

/** The lines of a stored log. */
export async function unpackLogs(chunks: readonly Buffer[]): Promise<LogLine[]> {
  const texts = await Promise.all(chunks.map((chunk) => inflate(chunk)));
  return texts
    .flatMap((text) => text.toString().split("\n"))
    .map((line) => JSON.parse(line) as LogEntry)
    .map(({ at, level, message }) => ({ at: toTimestamp(at), level, message }));
}
