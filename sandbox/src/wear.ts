import type { PoolOptions } from "./pool.ts";
import type { SandboxProcess } from "./process.ts";

/** `LOADER.get` keeps every isolate for good, so a process that holds this many is not kept. */
const MAX_ISOLATES = 20;
/** The dispatcher keeps every module that it was given, too. */
const MAX_CODES = 50;
/** Left open by a run, they use up what the process may open, and it crashes on the next. */
const MAX_CONNECTIONS = 100;

type Wear = Pick<
  PoolOptions,
  "maxRunsPerProcess" | "maxProcessAgeMs" | "idleRssBytes" | "retireRssBytes"
>;

/** Whether a process that uses so much memory should serve no more runs. */
export function isWornOut(process: SandboxProcess, rssBytes: number, wear: Wear): boolean {
  return (
    process.isDead ||
    process.hasFlooded ||
    process.runs >= wear.maxRunsPerProcess ||
    process.isolates.size >= MAX_ISOLATES ||
    process.codes.size >= MAX_CODES ||
    process.egress.connections > MAX_CONNECTIONS ||
    rssBytes - wear.idleRssBytes > wear.retireRssBytes ||
    isAged(process, wear)
  );
}

/** Whether a process has reached the age at which it is retired. */
export function isAged(process: SandboxProcess, { maxProcessAgeMs }: Wear): boolean {
  return performance.now() - process.startedAt > maxProcessAgeMs;
}
