/** How long requests wait while none of those before them ends. */
const STALL_MS = 30_000;

/**
 * Lets so many requests of a run go on at once; the others wait. When none ends for half a minute, those
 * that wait are turned away, since the run may be waiting for them itself.
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

  /** True when it is the client's turn, who then must `leave`; false when it is turned away. */
  async enter(): Promise<boolean> {
    if (this.#open < this.#most) {
      this.#open += 1;
      return true;
    }
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#waiting.push(resolve);
    this.#timer ??= setTimeout(() => this.rejectWaiting(), this.#stallMs);
    return promise;
  }

  leave(): void {
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
