import process from "node:process";

// Loaded before the service by NODE_OPTIONS: its wall clock is wrong by CLOCK_SHIFT_MS, its timers are not.
const shiftMs = Number(process.env["CLOCK_SHIFT_MS"]);
const RealDate = globalThis.Date;

/** Date with the shift wherever it tells the present time. */
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
