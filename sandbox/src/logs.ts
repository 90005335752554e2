import { newNonce } from "./nonce.ts";
import type { LogEntry, LogLevel, Progress } from "./types.ts";

/** Isolates apply the same limit, but a tool may circumvent its own isolate's. */
const MAX_ENTRIES = 10_000;
const MAX_LINE_BYTES = 1024 * 1024;
const PROGRESS_INTERVAL_MS = 100;
const MAX_PROGRESS_CHARS = 500;
const MAX_AGE_MS = 24 * 3_600_000;
const MESSAGE_FIELD = '"message":"';
const LEVELS: readonly string[] = ["debug", "info", "warn", "error"] satisfies LogLevel[];

export type Listeners = {
  onLog?: ((entry: LogEntry) => void) | undefined;
  onProgress?: ((progress: Progress) => void) | undefined;
};

/** Console lines and progress of one run. */
export class LogSink {
  /**
   * Marks the lines of the isolate. It is not the nonce of the dispatcher's lines, because a tool can learn it, and change what
   * its isolate writes: workerd serializes lines with the isolate's own built-ins.
   */
  readonly logNonce = newNonce();
  readonly entries: LogEntry[] = [];
  truncated = false;
  /** Settles when the module was evaluated in advance and the evaluation left no work behind. */
  readonly loaded = Promise.withResolvers<void>();
  /** Settles when the isolate has written its last line. */
  readonly ended = Promise.withResolvers<void>();
  hasEnded = false;
  /** Whether none of the run's work is left. */
  isIdle = false;
  #left: number;
  #listeners: Listeners = {};
  #progress: Progress | undefined;
  #progressAt = 0;
  #progressTimer: NodeJS.Timeout | undefined;

  constructor(logBytes: number) {
    this.#left = logBytes;
  }

  /** Sends all further lines to the listeners, after lines that a prewarmed module already wrote. */
  attach(listeners: Listeners): void {
    this.#listeners = listeners;
    for (const entry of this.entries) notify(listeners.onLog, entry);
  }

  /** Reports the latest progress, and nothing afterwards. */
  finish(): void {
    clearTimeout(this.#progressTimer);
    this.#notifyProgress();
    this.#listeners = {};
  }

  /** Takes a line that the isolate wrote. */
  acceptOfIsolate(line: string): void {
    const [kind, rest] = cut(line);
    if (kind === "log") this.#log(rest);
    else if (kind === "progress") this.#advance(rest);
    else if (kind === "full") this.truncated = true;
  }

  /** Takes a line that the dispatcher wrote about the run. */
  acceptOfDispatcher(line: string): void {
    if (line === "loaded") this.loaded.resolve();
    else if (line === "end") this.#end();
    else if (line === "idle") this.isIdle = true;
  }

  #end(): void {
    this.hasEnded = true;
    this.ended.resolve();
  }

  #log(rest: string): void {
    const [level, timed] = cut(rest);
    const [at, whole] = cut(timed);
    if (this.#left < 0 || this.entries.length >= MAX_ENTRIES || !isLevel(level)) {
      this.truncated = true;
      return;
    }
    const message = this.#fit(whole);
    if (message === "" && whole !== "") return;
    const entry = { at: plausibleTime(Number(at)), level, message };
    this.entries.push(entry);
    notify(this.#listeners.onLog, entry);
  }

  #fit(message: string): string {
    const bytes = Buffer.byteLength(message);
    const left = this.#left;
    this.#left -= bytes;
    if (bytes <= left) return message;
    this.truncated = true;
    this.#left = -1;
    const shortened = Buffer.from(message).subarray(0, left).toString();
    // The last character was cut in half.
    return shortened.endsWith("\uFFFD") ? shortened.slice(0, -1) : shortened;
  }

  #advance(rest: string): void {
    const [written, words] = cut(rest);
    const fraction = Number(written);
    if (!(fraction >= 0 && fraction <= 1)) return;
    const message = words.slice(0, MAX_PROGRESS_CHARS);
    this.#progress = { fraction, ...(message === "" ? {} : { message }) };
    const wait = this.#progressAt + PROGRESS_INTERVAL_MS - performance.now();
    if (wait <= 0) this.#notifyProgress();
    else this.#progressTimer ??= setTimeout(() => this.#notifyProgress(), wait);
  }

  #notifyProgress(): void {
    this.#progressTimer = undefined;
    if (this.#progress === undefined) return;
    const progress = this.#progress;
    this.#progress = undefined;
    this.#progressAt = performance.now();
    notify(this.#listeners.onProgress, progress);
  }
}

// An exception in a listener is a bug, but must not end the runs of others.
function notify<T>(listener: ((event: T) => void) | undefined, event: T): void {
  try {
    listener?.(event);
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : String(error));
  }
}

/** A tool that learned its nonce can write any time, and an isolate's clock starts at zero. */
function plausibleTime(at: number): number {
  const now = Date.now();
  return Math.abs(now - at) < MAX_AGE_MS ? at : now;
}

function isLevel(word: string): word is LogLevel {
  return LEVELS.includes(word);
}

function cut(text: string): [string, string] {
  const at = text.indexOf(" ");
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

/**
 * Routes a process's standard output to the sinks that are open at the time. Drops lines without a known nonce: a tool
 * wrote them past its console, or leftover work of an earlier run did.
 */
export class LineRouter {
  /** Called when the last leftover work of ended runs is done. */
  onIdle: (() => void) | undefined;
  readonly #sinks = new Map<string, LogSink>();
  readonly #sinksByLogNonce = new Map<string, LogSink>();
  /** Nonces of runs that ended while their tool's work continued, by the time they ended, oldest first. */
  readonly #unfinished = new Map<string, number>();
  #partial: Buffer[] = [];
  #partialBytes = 0;

  open(nonce: string, logBytes: number): LogSink {
    const sink = new LogSink(logBytes);
    this.#sinks.set(nonce, sink);
    this.#sinksByLogNonce.set(sink.logNonce, sink);
    return sink;
  }

  close(nonce: string): void {
    const sink = this.#sinks.get(nonce);
    if (sink !== undefined) this.#sinksByLogNonce.delete(sink.logNonce);
    this.#sinks.delete(nonce);
  }

  /** Closes the sink of a run that the isolate served. Its work may continue for a while. */
  end(nonce: string): void {
    if (this.#sinks.get(nonce)?.isIdle === false) this.#unfinished.set(nonce, performance.now());
    this.close(nonce);
  }

  get isIdle(): boolean {
    return this.#unfinished.size === 0;
  }

  /** Whether work is left of a run that ended at least `ms` ago. */
  isOverdue(ms: number): boolean {
    const [oldest] = this.#unfinished.values();
    return oldest !== undefined && performance.now() - oldest >= ms;
  }

  feed(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      this.#add(chunk.subarray(from, end));
      this.#line();
      from = end + 1;
    }
    if (from < chunk.length) this.#add(chunk.subarray(from));
  }

  #add(part: Buffer): void {
    this.#partialBytes += part.length;
    // The rest of an endless line is counted but not stored.
    if (this.#partialBytes <= MAX_LINE_BYTES) this.#partial.push(part);
  }

  #line(): void {
    const [first] = this.#partial;
    const tooLong = this.#partialBytes > MAX_LINE_BYTES;
    const bytes = this.#partial.length === 1 ? first : Buffer.concat(this.#partial);
    this.#partial = [];
    this.#partialBytes = 0;
    if (bytes === undefined || tooLong || this.#sinks.size + this.#unfinished.size === 0) return;
    const line = bytes.toString();
    const at = line.indexOf(MESSAGE_FIELD) + MESSAGE_FIELD.length;
    const space = line.indexOf(" ", at);
    const nonce = line.slice(at, space);
    if (this.#unfinished.has(nonce)) this.#markIdle(nonce, line);
    const ofIsolate = this.#sinksByLogNonce.get(nonce);
    const ofDispatcher = this.#sinks.get(nonce);
    if (ofIsolate === undefined && ofDispatcher === undefined) return;
    const rest = messageIn(line)?.slice(space - at + 1);
    if (rest === undefined) return;
    ofIsolate?.acceptOfIsolate(rest);
    ofDispatcher?.acceptOfDispatcher(rest);
  }

  #markIdle(nonce: string, line: string): void {
    if (messageIn(line) !== `${nonce} idle`) return;
    this.#unfinished.delete(nonce);
    if (this.isIdle) this.onIdle?.();
  }
}

function messageIn(line: string): string | undefined {
  try {
    const parsed: unknown = JSON.parse(line);
    if (typeof parsed !== "object" || parsed === null || !("message" in parsed)) return undefined;
    return typeof parsed.message === "string" ? parsed.message : undefined;
  } catch {
    return undefined;
  }
}
