import { threadCpuUsage } from "node:process";
import { setImmediate } from "node:timers/promises";

/** Resolves after the event loop has handled the events that are pending, such as other requests. */
export function yieldToEventLoop(): Promise<void> {
  return setImmediate();
}

/** A sample of the event loop's delay, in milliseconds. */
export type LoopDelay = {
  delayMs: number;
  /** CPU time that this thread used since the last sample. Less than the delay on a busy machine. */
  cpuMs: number;
};

/** A running measurement of the event loop. */
export type LoopMonitor = { stop(): void };

const intervalMs = 20;

/** Calls `onSample` every few milliseconds with the delay of the call. */
export function monitorLoop(onSample: (delay: LoopDelay) => void): LoopMonitor {
  let expected = performance.now() + intervalMs;
  let cpuBefore = cpuMsOfThread();
  const timer = setInterval(() => {
    const now = performance.now();
    const cpu = cpuMsOfThread();
    onSample({ delayMs: Math.max(0, now - expected), cpuMs: cpu - cpuBefore });
    expected = now + intervalMs;
    cpuBefore = cpu;
  }, intervalMs);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

function cpuMsOfThread(): number {
  const { user, system } = threadCpuUsage();
  return (user + system) / 1_000;
}
