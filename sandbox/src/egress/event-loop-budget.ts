/** CPU time that such work may take of one turn of the event loop before it has to wait. */
const BUDGET_MS = 10;

const waiting: (() => void)[] = [];
let usedMs = 0;
let isPlanned = false;

/** Whether work may be done in this turn of the event loop: nothing waits, and the turn's share is not used up. */
export function hasBudget(): boolean {
  return waiting.length === 0 && usedMs < BUDGET_MS;
}

/** Resolves when it is this work's turn; only one part of such work is done in a turn of the event loop then. */
export function waitForTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    planTurn();
  });
}

/** Does a part of the work and counts its time. */
export function countTime<T>(work: () => T): T {
  const startMs = performance.now();
  try {
    return work();
  } finally {
    usedMs += performance.now() - startMs;
    planTurn();
  }
}

function planTurn(): void {
  if (isPlanned) return;
  isPlanned = true;
  setImmediate(() => {
    isPlanned = false;
    usedMs = 0;
    waiting.shift()?.();
    if (waiting.length > 0) planTurn();
  });
}
