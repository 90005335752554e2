import type { Gauge, Sample } from "./gauge.ts";

/** The limit that a run exceeded. */
export type Breach = "cpu_limit" | "timeout" | "memory_limit";

/** What the watchdog observes: a run, or the evaluation of a prewarmed module. */
export type Watched = {
  gauge: Gauge;
  /** What the process had used at the start. */
  base: Sample;
  /** The latest reading, for the usage of a process that has exited. */
  last: Sample;
  /** The most memory above the base in any reading. */
  peakBytes: number;
  deadline: number;
  cpuMs: number;
  memoryBytes: number;
  onBreach: (breach: Breach) => void;
};

const TICK_MS = 20;

/**
 * Enforces limits by sampling every 20 ms, because workerd enforces none. One timer serves all runs, and
 * stops while nothing is watched.
 */
export class Watchdog {
  readonly #watched = new Set<Watched>();
  #timer: NodeJS.Timeout | undefined;

  watch(watched: Watched): void {
    this.#watched.add(watched);
    this.#timer ??= setInterval(() => this.#tick(), TICK_MS);
  }

  unwatch(watched: Watched): void {
    this.#watched.delete(watched);
    if (this.#watched.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #tick(): void {
    const now = performance.now();
    for (const watched of this.#watched) {
      const breach = inspect(watched, now);
      if (breach === undefined) continue;
      this.unwatch(watched);
      watched.onBreach(breach);
    }
  }
}

function inspect(watched: Watched, now: number): Breach | undefined {
  const sample = watched.gauge.read();
  // A process that has exited reports its own outcome.
  if (sample === undefined) return undefined;
  watched.last = sample;
  const usedBytes = sample.rssBytes - watched.base.rssBytes;
  watched.peakBytes = Math.max(watched.peakBytes, usedBytes);
  if (usedBytes > watched.memoryBytes) return "memory_limit";
  if (sample.cpuMs - watched.base.cpuMs > watched.cpuMs) return "cpu_limit";
  return now > watched.deadline ? "timeout" : undefined;
}
