type Parts = {
  beat: () => void;
  /** Nobody answered the last beat: the connection is dead, whatever the network says. */
  onSilence: () => void;
};

/** Says now and then that we are there, and notices when nobody answers. */
export type Heartbeat = {
  start(intervalMs: number): void;
  /** Says so at once, for Discord may ask. */
  now(): void;
  /** Discord has answered. */
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
      // Many connect again at the same moment, and must not beat together from then on.
      timer = setTimeout(next, intervalMs * Math.random());
    },
    // That one may come right before ours, so nothing hangs on its answer.
    now: beat,
    answered: () => {
      isAnswered = true;
    },
    stop: () => clearTimeout(timer),
  };
}
