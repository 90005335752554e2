import { Gauge, Histogram } from "prom-client";
import type { Registry } from "prom-client";

type Observe = (delay: { delayMs: number; cpuMs: number }) => void;

/** Adds the delay of the event loop; returns what to call with each sample. */
export function observeLoop(registry: Registry): Observe {
  const delays = new Histogram({
    name: "toolhost_event_loop_delay_seconds",
    help: "Delay of the event loop, sampled every 20 ms.",
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  });
  const longest = { delayMs: 0, cpuMs: 0 };
  const gauge = (name: string, help: string, field: keyof typeof longest) =>
    new Gauge({
      name: `toolhost_event_loop_${name}`,
      help,
      registers: [registry],
      collect() {
        this.set(longest[field] / 1_000);
        longest[field] = 0;
      },
    });
  gauge("delay_max_seconds", "Maximum delay of the event loop since the last scrape.", "delayMs");
  gauge(
    "cpu_max_seconds",
    "Maximum CPU time between two samples of the event loop since the last scrape.",
    "cpuMs",
  );
  return ({ delayMs, cpuMs }) => {
    delays.observe(delayMs / 1_000);
    longest.delayMs = Math.max(longest.delayMs, delayMs);
    longest.cpuMs = Math.max(longest.cpuMs, cpuMs);
  };
}
