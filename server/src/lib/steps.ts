/** Work in steps of a few milliseconds, between which others may take their turn. */
export type Steps<Result> = Generator<void, Result, void>;

/** Runs all steps at once. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Runs all steps, and waits for a turn between them. */
export async function finishInTurns<Result>(
  steps: Steps<Result>,
  takeTurn: () => Promise<unknown>,
): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await takeTurn();
  }
}
