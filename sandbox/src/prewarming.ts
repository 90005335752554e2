import { openExchange, type Exchange } from "./exchange.ts";
import type { Gauge } from "./gauge.ts";
import { newNonce } from "./nonce.ts";
import type { LineRouter, LogSink } from "./logs.ts";
import type { DispatcherClient } from "./dispatcher-client.ts";
import type { Limits } from "./types.ts";
import type { Watchdog } from "./watchdog.ts";

/** A fresh isolate that has evaluated its module and waits for the input of its only run. */
export type PrewarmedIsolate = {
  /** The isolate key that it was created for. It serves no other. */
  key: string;
  nonce: string;
  sink: LogSink;
  exchange: Exchange;
  /** Whether the module has been evaluated, so the process is idle again. */
  isReady: boolean;
  /** Stops watching the evaluation, because a run took the isolate or it was discarded. */
  release(): void;
};

/** The part of a sandbox process that prewarming uses. */
export type PrewarmableProcess = {
  gauge: Gauge;
  lines: LineRouter;
  client: DispatcherClient;
  onExit(listener: () => void): () => void;
  isDead: boolean;
  prewarmed: PrewarmedIsolate | undefined;
  expectOutput(logBytes: number): void;
  kill(): void;
};

export type PrewarmOptions = { key: string; codeId: string; limits: Limits };

const RECENT_MS = 60_000;
const MAX_REMEMBERED = 2_000;
const EVALUATION_TIMEOUT_MS = 10_000;

/** Remembers which tools run repeatedly, because only those are worth prewarming. */
export class RecentUse {
  readonly #uses = new Map<string, number>();

  /** Records a use. Returns whether the same key was already used within the last minute. */
  record(key: string): boolean {
    const now = performance.now();
    const before = this.#uses.get(key);
    // Deleting first moves the key to the end, so the map stays sorted by age.
    this.#uses.delete(key);
    this.#uses.set(key, now);
    const [oldest] = this.#uses.keys();
    if (this.#uses.size > MAX_REMEMBERED && oldest !== undefined) this.#uses.delete(oldest);
    return before !== undefined && now - before < RECENT_MS;
  }
}

/**
 * Opens the request for a tool's next run without its body, so that a fresh isolate evaluates the module in advance,
 * under the watchdog. Calls `onReady` when the process is idle again.
 */
export function prewarm(
  process: PrewarmableProcess,
  options: PrewarmOptions,
  watchdog: Watchdog,
  onReady: () => void,
): void {
  const base = process.gauge.read();
  if (base === undefined || process.isDead) return;
  const nonce = newNonce();
  process.expectOutput(options.limits.logBytes);
  const sink = process.lines.open(nonce, options.limits.logBytes);
  const watched = {
    gauge: process.gauge,
    base,
    last: base,
    peakBytes: 0,
    deadline: performance.now() + Math.min(options.limits.wallMs, EVALUATION_TIMEOUT_MS),
    cpuMs: options.limits.cpuMs,
    memoryBytes: options.limits.memoryBytes,
    onBreach: () => process.kill(),
  };
  watchdog.watch(watched);
  const headers = {
    "x-prewarm": "1",
    "x-code": options.codeId,
    "x-nonce": nonce,
    "x-log-nonce": sink.logNonce,
    "x-log-bytes": `${options.limits.logBytes}`,
  };
  const exchange = openExchange(process.client, headers, true);
  const forget = process.onExit(() => settle(false));
  const release = () => {
    watchdog.unwatch(watched);
    forget();
  };
  const prewarmed = { key: options.key, nonce, sink, exchange, isReady: false, release };
  process.prewarmed = prewarmed;
  const settle = (isUsable: boolean) => {
    release();
    if (process.prewarmed !== prewarmed) return;
    prewarmed.isReady = isUsable;
    if (!isUsable) discardPrewarmed(process);
    onReady();
  };
  void sink.loaded.promise.then(() => settle(true));
  void sink.ended.promise.then(() => settle(false));
}

/** Takes the prewarmed isolate for a run. Undefined if it belongs to another key. */
export function takePrewarmed(
  process: PrewarmableProcess,
  key: string,
): PrewarmedIsolate | undefined {
  const prewarmed = process.prewarmed;
  if (prewarmed?.key !== key) return undefined;
  process.prewarmed = undefined;
  prewarmed.release();
  return prewarmed;
}

/** Discards the prewarmed isolate, because the process is needed for something else. */
export function discardPrewarmed(process: PrewarmableProcess): void {
  const prewarmed = process.prewarmed;
  if (prewarmed === undefined) return;
  process.prewarmed = undefined;
  prewarmed.release();
  prewarmed.exchange.abort();
  process.lines.close(prewarmed.nonce);
}
