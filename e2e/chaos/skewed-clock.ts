import process from "node:process";

// Loaded before the service with NODE_OPTIONS. Shifts its wall clock by CLOCK_SHIFT_MS, but not its timers.
const shiftMs = Number(process.env["CLOCK_SHIFT_MS"]);
const RealDate = globalThis.Date;

/** `Date` with a shifted current time. */
class SkewedDate extends RealDate {
  constructor(...values: unknown[]) {
    if (values.length === 0) super(RealDate.now() + shiftMs);
    else super(...(values as [number]));
  }

  static override now(): number {
    return RealDate.now() + shiftMs;
  }
}

globalThis.Date = SkewedDate as DateConstructor;
