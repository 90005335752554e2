/** The work is beyond what was granted: it belongs into a process that can be stopped. */
export class TooCostlyError extends Error {
  override name = "TooCostlyError";
}

/** Work left, in units of about 50 ns. Validation is synchronous, so one count serves one piece of work. */
const meter = { left: Infinity };

/** Does work that {@link spend} may stop. Throws `TooCostlyError`. */
export function metered<T>(units: number, work: () => T): T {
  const before = meter.left;
  meter.left = units;
  try {
    return work();
  } finally {
    meter.left = before;
  }
}

/** Throws `TooCostlyError` when less than that is left. */
export function spend(units: number): void {
  if (meter.left === Infinity) return;
  meter.left -= units;
  if (meter.left < 0) throw new TooCostlyError("The work exceeds the limit of this process");
}

/** Whether work is limited at all: in a process of its own it is stopped from outside. */
export function isMetered(): boolean {
  return meter.left !== Infinity;
}
