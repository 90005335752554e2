import { threadCpuUsage } from "node:process";

/** One look at the event loop that came late, in milliseconds. */
export type LoopDelay = {
  delayMs: number;
  /** CPU time that this thread used meanwhile: on a busy machine less than the delay. */
  cpuMs: number;
};

/** Looks after the event loop until it is stopped. */
export type LoopMonitor = { stop(): void };

const intervalMs = 20;

/** Tells `onLook` every few milliseconds how much later it was called than it should have been. */
export function monitorLoop(onLook: (delay: LoopDelay) => void): LoopMonitor {
  let expected = performance.now() + intervalMs;
  let cpuBefore = cpuMsOfThread();
  const timer = setInterval(() => {
    const now = performance.now();
    const cpu = cpuMsOfThread();
    onLook({ delayMs: Math.max(0, now - expected), cpuMs: cpu - cpuBefore });
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
