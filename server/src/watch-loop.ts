import { monitorLoop } from "#lib/event-loop";
import type { LoopDelay } from "#lib/event-loop";
import type { Log } from "#lib/log";

/** A recent request. Its route is known only after it was matched. */
type SeenRequest = { requestId: string; method: string; route: () => string };

/** Measures the delay of the event loop. */
export type LoopWatch = {
  noteRequest(request: SeenRequest): void;
  /** Called with each sample. Only one callback is supported. */
  onSample: (delay: LoopDelay) => void;
  stop(): void;
};

const maxRequests = 10;
/** Minimum time between two warnings. Each reports how many were suppressed. */
const alarmPauseMs = 10_000;

/** Logs a warning with the most recent requests when the event loop was blocked for `alarmMs` or longer. */
export function watchLoop(log: Log, alarmMs: number): LoopWatch {
  const requests: SeenRequest[] = [];
  let lastAlarm = -Infinity;
  let suppressed = 0;

  function alarm({ delayMs, cpuMs }: LoopDelay): void {
    if (performance.now() - lastAlarm < alarmPauseMs) {
      suppressed += 1;
      return;
    }
    const recent = requests.map(({ requestId, method, route }) => ({
      requestId,
      method,
      route: route(),
    }));
    const figures = { delayMs: Math.round(delayMs), cpuMs: Math.round(cpuMs) };
    log.warn({ ...figures, suppressed, recent }, "event loop was blocked");
    lastAlarm = performance.now();
    suppressed = 0;
  }

  const watch: LoopWatch = {
    noteRequest: (request) => {
      requests.push(request);
      if (requests.length > maxRequests) requests.shift();
    },
    onSample: () => undefined,
    stop: () => monitor.stop(),
  };
  const monitor = monitorLoop((delay) => {
    watch.onSample(delay);
    if (alarmMs > 0 && delay.delayMs >= alarmMs) alarm(delay);
  });
  return watch;
}
