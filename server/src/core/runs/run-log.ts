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

/** Where a line stands: the attempt that wrote it, and its number in that, from 1. */
export type LinePlace = { attempt: number; number: number };

/** Whether a place comes after another; every place comes after none. */
export function isAfter(place: LinePlace, other: LinePlace | undefined): boolean {
  if (other === undefined) return true;
  if (place.attempt !== other.attempt) return place.attempt > other.attempt;
  return place.number > other.number;
}

type StoredChunk = { chunk: number; body: Buffer };

/** Reads a log bit by bit while it is written. */
export type LogReader = {
  /** The chunk to begin the next read with: the last one again, since it may have grown. */
  nextChunk(): number;
  /** The lines of chunks in order, from {@link LogReader.nextChunk} on. */
  read(chunks: readonly StoredChunk[]): Promise<{ place: LinePlace; line: LogLine }[]>;
};

export function createLogReader(): LogReader {
  let last = 0;
  /** Lines of the same attempt before that chunk. */
  let before = 0;
  return {
    nextChunk: () => last,
    read: async (chunks) => {
      const texts = await Promise.all(chunks.map(({ body }) => inflate(body)));
      let next = before;
      return chunks.flatMap(({ chunk }, index) => {
        const attempt = attemptOf(chunk);
        if (attempt !== attemptOf(last)) next = 0;
        const lines = (texts[index]?.toString() ?? "").split("\n");
        [last, before] = [chunk, next];
        next += lines.length;
        const first = before;
        return lines.map((text, offset) => ({
          place: { attempt, number: first + offset + 1 },
          line: toLogLine(JSON.parse(text) as LogEntry),
        }));
      });
    },
  };
}

function attemptOf(chunk: number): number {
  return Math.floor(chunk / chunksAnAttempt) + 1;
}

/** A line as the wire has it. */
export function toLogLine({ at, level, message }: LogEntry): LogLine {
  return { at: toTimestamp(at), level, message };
}
