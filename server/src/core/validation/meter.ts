/** The work exceeds its limit, and must be done in a process that can be killed. */
export class TooCostlyError extends Error {
  override name = "TooCostlyError";
}

/** Remaining work in units of about 50 ns. Validation is synchronous, so one counter suffices. */
const meter = { left: Infinity };

/** Runs work that {@link spend} may abort. Throws `TooCostlyError`. */
export function metered<T>(units: number, work: () => T): T {
  const before = meter.left;
  meter.left = units;
  try {
    return work();
  } finally {
    meter.left = before;
  }
}

/** Throws `TooCostlyError` if fewer units remain. */
export function spend(units: number): void {
  if (meter.left === Infinity) return;
  meter.left -= units;
  if (meter.left < 0) throw new TooCostlyError("The work exceeds the limit of this process");
}

/** Whether work is metered; in worker processes it is not, since they can be killed. */
export function isMetered(): boolean {
  return meter.left !== Infinity;
}
