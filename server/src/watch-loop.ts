import { monitorLoop } from "#lib/event-loop";
import type { LoopDelay } from "#lib/event-loop";
import type { Log } from "#lib/log";

/** A request that came in lately: the route that it matched is known a moment later. */
type SeenRequest = { requestId: string; method: string; route: () => string };

/** Follows how long the event loop keeps everybody waiting. */
export type LoopWatch = {
  noteRequest(request: SeenRequest): void;
  /** Called with each look; one at a time. */
  onLook: (delay: LoopDelay) => void;
  stop(): void;
};

const maxRequests = 10;
/** Alarms come once in this time at most, with how many were left out. */
const alarmPauseMs = 10_000;

/** Warns in the log when the event loop was blocked for `alarmMs` or longer, with the requests that came last. */
export function watchLoop(log: Log, alarmMs: number): LoopWatch {
  const requests: SeenRequest[] = [];
  let lastAlarm = -Infinity;
  let leftOut = 0;

  function alarm({ delayMs, cpuMs }: LoopDelay): void {
    if (performance.now() - lastAlarm < alarmPauseMs) {
      leftOut += 1;
      return;
    }
    const recent = requests.map(({ requestId, method, route }) => ({
      requestId,
      method,
      route: route(),
    }));
    const figures = { delayMs: Math.round(delayMs), cpuMs: Math.round(cpuMs) };
    log.warn({ ...figures, alarmsLeftOut: leftOut, recent }, "the event loop was blocked");
    lastAlarm = performance.now();
    leftOut = 0;
  }

  const watch: LoopWatch = {
    noteRequest: (request) => {
      requests.push(request);
      if (requests.length > maxRequests) requests.shift();
    },
    onLook: () => undefined,
    stop: () => monitor.stop(),
  };
  const monitor = monitorLoop((delay) => {
    watch.onLook(delay);
    if (alarmMs > 0 && delay.delayMs >= alarmMs) alarm(delay);
  });
  return watch;
}
