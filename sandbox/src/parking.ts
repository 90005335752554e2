import { randomBytes } from "node:crypto";
import { openExchange, type Exchange } from "./exchange.ts";
import type { Gauge } from "./gauge.ts";
import type { LineSorter, LogSink } from "./logs.ts";
import type { Endpoint } from "./exchange.ts";
import type { Limits } from "./types.ts";
import type { Watchdog } from "./watchdog.ts";

/** A fresh isolate that has evaluated its module and waits for the input of its one run. */
export type Parked = {
  /** The isolate key it was parked for; it serves no other. */
  key: string;
  nonce: string;
  sink: LogSink;
  exchange: Exchange;
  /** Whether evaluation is over, so that the process is idle. */
  isReady: boolean;
  /** Ends the watch over its evaluation, because a run takes it or nobody will. */
  release(): void;
};

/** The part of a process that parking uses. */
export type ParkingPlace = {
  gauge: Gauge;
  lines: LineSorter;
  endpoint: Endpoint;
  onExit(listener: () => void): () => void;
  isDead: boolean;
  parked: Parked | undefined;
  expectOutput(logBytes: number): void;
  kill(): void;
};

export type ParkingWish = { key: string; codeId: string; limits: Limits };

const RECENT_MS = 60_000;
const MAX_REMEMBERED = 2_000;
const EVALUATION_MS = 10_000;

/** Remembers which tools come back, so that parking is spent on those alone. */
export class RecentUse {
  readonly #uses = new Map<string, number>();

  /** Notes one use and says whether it was the second or later within a minute. */
  note(key: string): boolean {
    const now = performance.now();
    const before = this.#uses.get(key);
    // Taken out and put back, so that the oldest comes first.
    this.#uses.delete(key);
    this.#uses.set(key, now);
    const [oldest] = this.#uses.keys();
    if (this.#uses.size > MAX_REMEMBERED && oldest !== undefined) this.#uses.delete(oldest);
    return before !== undefined && now - before < RECENT_MS;
  }
}

/**
 * Opens the next request of a tool with its body unsent, so that a fresh isolate evaluates the
 * module ahead, under the watchdog. `onReady` is called when the process is idle again.
 */
export function park(
  place: ParkingPlace,
  wish: ParkingWish,
  watchdog: Watchdog,
  onReady: () => void,
): void {
  const base = place.gauge.read();
  if (base === undefined || place.isDead) return;
  const nonce = randomBytes(16).toString("hex");
  place.expectOutput(wish.limits.logBytes);
  const sink = place.lines.open(nonce, wish.limits.logBytes);
  const watched = {
    gauge: place.gauge,
    base,
    last: base,
    peakBytes: 0,
    deadline: performance.now() + Math.min(wish.limits.wallMs, EVALUATION_MS),
    cpuMs: wish.limits.cpuMs,
    memoryBytes: wish.limits.memoryBytes,
    onBreach: () => place.kill(),
  };
  watchdog.watch(watched);
  const headers = {
    "x-park": "1",
    "x-code": wish.codeId,
    "x-nonce": nonce,
    "x-log-bytes": `${wish.limits.logBytes}`,
    "transfer-encoding": "chunked",
  };
  const exchange = openExchange(place.endpoint, headers, true);
  const forget = place.onExit(() => settle(false));
  const release = () => {
    watchdog.unwatch(watched);
    forget();
  };
  const parked = { key: wish.key, nonce, sink, exchange, isReady: false, release };
  place.parked = parked;
  const settle = (isUsable: boolean) => {
    release();
    if (place.parked !== parked) return;
    parked.isReady = isUsable;
    if (!isUsable) dropParked(place);
    onReady();
  };
  void sink.loaded.promise.then(() => settle(true));
  void sink.ended.promise.then(() => settle(false));
}

/** Takes the parked isolate for a run. */
export function takeParked(place: ParkingPlace, key: string): Parked | undefined {
  const parked = place.parked;
  if (parked?.key !== key) return undefined;
  place.parked = undefined;
  parked.release();
  return parked;
}

/** Gives the parked isolate up: the process is needed for something else. */
export function dropParked(place: ParkingPlace): void {
  const parked = place.parked;
  if (parked === undefined) return;
  place.parked = undefined;
  parked.release();
  parked.exchange.abandon();
  place.lines.close(parked.nonce);
}
