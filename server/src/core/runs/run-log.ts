import { promisify } from "node:util";
import { deflateRaw, inflateRaw } from "node:zlib";
import type { LogEntry } from "@toolhost/sandbox";
import type { LogLine } from "@toolhost/contract";
import { toTimestamp } from "#lib/clock";

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/** Chunks of an attempt have the numbers from here on, so that those of the next come after them. */
const chunksAnAttempt = 100_000;

/** Some lines of a run's log as they are stored: JSON lines, deflated. */
export type LogChunk = { chunk: number; lineCount: number; body: Buffer };

/** Packs lines as the chunk `index` of an attempt. Undefined for no lines. */
export async function packLogs(
  entries: readonly LogEntry[],
  attempt: number,
  index: number,
): Promise<LogChunk | undefined> {
  if (entries.length === 0) return undefined;
  const text = entries.map((entry) => JSON.stringify(entry)).join("\n");
  const chunk = (attempt - 1) * chunksAnAttempt + index;
  return { chunk, lineCount: entries.length, body: await deflate(text) };
}

/** A line with its place: the attempt that wrote it, and its number in that, from 1. */
export type PlacedLine = { attempt: number; number: number; line: LogLine };

/** The lines of stored chunks, which must come in order and from an attempt's first. */
export async function unpackLogs(
  chunks: readonly { chunk: number; body: Buffer }[],
): Promise<PlacedLine[]> {
  const texts = await Promise.all(chunks.map(({ body }) => inflate(body)));
  const counts = new Map<number, number>();
  return chunks.flatMap(({ chunk }, index) => {
    const attempt = Math.floor(chunk / chunksAnAttempt) + 1;
    return (texts[index]?.toString() ?? "").split("\n").map((text) => {
      const number = (counts.get(attempt) ?? 0) + 1;
      counts.set(attempt, number);
      return { attempt, number, line: toLogLine(JSON.parse(text) as LogEntry) };
    });
  });
}

/** A line as the wire has it. */
export function toLogLine({ at, level, message }: LogEntry): LogLine {
  return { at: toTimestamp(at), level, message };
}
