type Parts = {
  beat: () => void;
  /** Called if the last heartbeat was not acknowledged, so the connection is broken. */
  onSilence: () => void;
};

/** Sends heartbeats and detects that they are not acknowledged. */
export type Heartbeat = {
  start(intervalMs: number): void;
  /** Sends a heartbeat immediately, on request of Discord. */
  now(): void;
  /** Records an acknowledgement. */
  answered(): void;
  stop(): void;
};

export function createHeartbeat({ beat, onSilence }: Parts): Heartbeat {
  let timer: NodeJS.Timeout | undefined;
  let isAnswered = true;
  return {
    start: (intervalMs) => {
      const next = () => {
        timer = setTimeout(next, intervalMs);
        if (!isAnswered) return onSilence();
        isAnswered = false;
        beat();
      };
      clearTimeout(timer);
      // Clients that reconnect at the same moment must not send their heartbeats together.
      timer = setTimeout(next, intervalMs * Math.random());
    },
    // It may be sent right before a regular heartbeat, so its acknowledgement is not awaited.
    now: beat,
    answered: () => {
      isAnswered = true;
    },
    stop: () => clearTimeout(timer),
  };
}
