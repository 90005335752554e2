import { promisify } from "node:util";
import { deflateRaw, inflateRaw } from "node:zlib";
import type { LogEntry, Progress } from "@toolhost/sandbox";
import type { LogLine } from "@toolhost/contract";
import type { RunCredentials } from "#core/vault";
import { toTimestamp } from "#lib/clock";
import { notifyWatchers } from "../active-runs.ts";
import type { ActiveRun } from "../active-runs.ts";
import type { RunsContext } from "../context.ts";
import { insertLogChunk, setProgress } from "./log-store.ts";
import type { LogChunk } from "./log-store.ts";

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/** Chunk numbers of an attempt start at a multiple of this, so that those of the next attempt follow. */
const chunksPerAttempt = 100_000;

/** Packs log lines as the chunk `index` of an attempt: JSON lines, deflated. Undefined for no lines. */
export async function packLogs(
  entries: readonly LogEntry[],
  attempt: number,
  index: number,
): Promise<LogChunk | undefined> {
  if (entries.length === 0) return undefined;
  const text = entries.map((entry) => JSON.stringify(entry)).join("\n");
  const chunk = (attempt - 1) * chunksPerAttempt + index;
  return { chunk, lineCount: entries.length, body: await deflate(text) };
}

const storeIntervalMs = 1_000;

/**
 * Streams the log and progress of a run: to watchers immediately, and to the database about once a second. `stop`
 * resolves when no write is in progress.
 */
export function streamEvents(context: RunsContext, active: ActiveRun, credentials: RunCredentials) {
  let timer: NodeJS.Timeout | undefined;
  let storing = Promise.resolve();
  const store = () => {
    timer = undefined;
    storing = storing
      .then(() => storeEvents(context, active))
      .catch((error: unknown) => {
        context.log.warn({ err: error, runId: active.id }, "could not store a run's progress");
      });
  };
  const publish = () => {
    notifyWatchers(active);
    timer ??= setTimeout(store, storeIntervalMs);
  };
  return {
    onProgress: (progress: Progress) => {
      const { message } = progress;
      active.progress =
        message === undefined ? progress : { ...progress, message: credentials.redact(message) };
      publish();
    },
    onLog: (entry: LogEntry) => {
      active.lines.push({ ...entry, message: redactLine(entry.message, credentials) });
      publish();
    },
    stop: () => {
      clearTimeout(timer);
      return storing;
    },
  };
}

/** Longer lines are redacted in parts after the run has ended, since a part alone could contain a part of a secret. */
const maxLiveCharacters = 16 * 1024;

function redactLine(message: string, { held, redact }: RunCredentials): string {
  if (held.length === 0 || message.length <= maxLiveCharacters) return redact(message);
  return `[a line of ${message.length} characters, available in the log when the run has ended]`;
}

async function storeEvents({ db }: RunsContext, active: ActiveRun): Promise<void> {
  await active.record.ensure();
  const { id, progress, lines, storedLines, storedChunks, attempt } = active;
  if (progress !== undefined) await setProgress(db, id, JSON.stringify(progress));
  const chunk = await packLogs(lines.slice(storedLines), attempt, storedChunks);
  if (chunk === undefined) return;
  await insertLogChunk(db, id, chunk);
  active.storedLines += chunk.lineCount;
  active.storedChunks += 1;
}

/** The position of a log line: the attempt that wrote it, and its number in that attempt, from 1. */
export type LogPosition = { attempt: number; number: number };

/** Whether a position follows another; every position follows undefined. */
export function isAfter(position: LogPosition, other: LogPosition | undefined): boolean {
  if (other === undefined) return true;
  if (position.attempt !== other.attempt) return position.attempt > other.attempt;
  return position.number > other.number;
}

type StoredChunk = { chunk: number; body: Buffer };

/** Reads a log incrementally while it is written. */
export type LogReader = {
  /** The chunk to start the next read with: the last one again, since it may have grown. */
  nextChunk(): number;
  /** The lines of chunks in order, starting with {@link LogReader.nextChunk}. */
  read(chunks: readonly StoredChunk[]): Promise<{ position: LogPosition; line: LogLine }[]>;
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
          position: { attempt, number: first + offset + 1 },
          line: toLogLine(JSON.parse(text) as LogEntry),
        }));
      });
    },
  };
}

function attemptOf(chunk: number): number {
  return Math.floor(chunk / chunksPerAttempt) + 1;
}

/** A log line as the API presents it. */
export function toLogLine({ at, level, message }: LogEntry): LogLine {
  return { at: toTimestamp(at), level, message };
}
