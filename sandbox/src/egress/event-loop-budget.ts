/** CPU time that this work may use in one turn of the event loop before it must wait. */
const BUDGET_MS = 10;

const waiting: (() => void)[] = [];
let usedMs = 0;
let isPlanned = false;

/** Whether work may run in this turn of the event loop: nothing waits, and the turn's budget is not used up. */
export function hasBudget(): boolean {
  return waiting.length === 0 && usedMs < BUDGET_MS;
}

/** Resolves when it is this work's turn. Only one waiting part runs in each turn of the event loop. */
export function waitForTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    planTurn();
  });
}

/** Runs a part of the work and charges its time to the budget. */
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
