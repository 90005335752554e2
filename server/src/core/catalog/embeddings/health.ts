import type { Log } from "#lib/log";
import type { EmbeddingUse } from "./client.ts";

const minPauseMs = 1_000;
const maxPauseMs = 60_000;

/** Pauses requests after a failure, longer each time, and logs an outage once when it starts and once when it ends. */
export type Health = { isPaused(): boolean; failed(reason: string): void; worked(): void };

export function createHealth(log: Log, use: EmbeddingUse): Health {
  let failures = 0;
  let startedAt = 0;
  let pausedUntil = 0;
  return {
    isPaused: () => performance.now() < pausedUntil,
    failed(reason) {
      const now = performance.now();
      if (failures === 0) {
        startedAt = now;
        log.warn({ use, reason }, "embeddings are unavailable");
      }
      pausedUntil = now + Math.min(maxPauseMs, minPauseMs * 2 ** failures);
      failures += 1;
    },
    worked() {
      if (failures === 0) return;
      const durationMs = Math.round(performance.now() - startedAt);
      log.warn({ use, durationMs, failures }, "embeddings are available again");
      failures = 0;
      pausedUntil = 0;
    },
  };
}
