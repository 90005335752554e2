/** CPU time that work of one kind may use in one turn of the event loop before it must wait. */
const BUDGET_MS = 10;

/** Divides work that takes long into turns of the event loop, so that other work runs between them. */
class EventLoopBudget {
  readonly #waiting: (() => void)[] = [];
  #usedMs = 0;
  #isPlanned = false;

  /** Whether work may run in this turn of the event loop: nothing waits, and the turn's budget is not used up. */
  hasTime(): boolean {
    return this.#waiting.length === 0 && this.#usedMs < BUDGET_MS;
  }

  /** Resolves when it is this work's turn. Only one waiting part runs in each turn of the event loop. */
  waitForTurn(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#planTurn();
    });
  }

  /** Runs a part of the work and charges its time to the budget. */
  countTime<T>(work: () => T): T {
    const startMs = performance.now();
    try {
      return work();
    } finally {
      this.#usedMs += performance.now() - startMs;
      this.#planTurn();
    }
  }

  #planTurn(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    setImmediate(() => {
      this.#isPlanned = false;
      this.#usedMs = 0;
      this.#waiting.shift()?.();
      if (this.#waiting.length > 0) this.#planTurn();
    });
  }
}

/** For searches of bodies for credentials. A body has dozens of parts, which must not wait for an output each. */
export const searchBudget = new EventLoopBudget();
/** For reading large outputs of tools. */
export const outputBudget = new EventLoopBudget();
