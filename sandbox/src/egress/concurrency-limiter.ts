/** How long requests wait while no open request ends. */
const STALL_MS = 30_000;

/**
 * Limits the concurrent requests of a run. Further requests wait. If no open request ends for half a minute, the waiting
 * ones are rejected, because the run may wait for them itself before it ends the open ones.
 */
export class ConcurrencyLimiter {
  readonly #most: number;
  readonly #stallMs: number;
  readonly #waiting: ((isTurn: boolean) => void)[] = [];
  #open = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(most: number, stallMs = STALL_MS) {
    this.#most = most;
    this.#stallMs = stallMs;
  }

  /** Returns true when the request may start, after which it must call `release`. Returns false if it is rejected. */
  async acquire(): Promise<boolean> {
    if (this.#open < this.#most) {
      this.#open += 1;
      return true;
    }
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#waiting.push(resolve);
    this.#timer ??= setTimeout(() => this.rejectWaiting(), this.#stallMs);
    return promise;
  }

  release(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const next = this.#waiting.shift();
    if (next === undefined) {
      this.#open -= 1;
      return;
    }
    next(true);
    if (this.#waiting.length > 0) {
      this.#timer = setTimeout(() => this.rejectWaiting(), this.#stallMs);
    }
  }

  rejectWaiting(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const resolve of this.#waiting.splice(0)) resolve(false);
  }
}
