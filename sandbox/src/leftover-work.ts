import type { LineRouter } from "./logs.ts";

/** How long leftover work of a tool may continue before its process is killed. */
export const LEFTOVER_MS = 200;
/** Timers may fire early by less than this. */
const TIMER_EARLY_MS = 2;

/** Calls `judge` when no work of ended runs is left, or else when it may continue no longer. */
export function awaitIdle(lines: LineRouter, judge: () => void): void {
  // The idle message may have arrived while this thread was busy. setImmediate lets it be read first.
  const timer = setTimeout(() => setImmediate(judge), LEFTOVER_MS + TIMER_EARLY_MS);
  lines.onIdle = () => {
    clearTimeout(timer);
    judge();
  };
}
