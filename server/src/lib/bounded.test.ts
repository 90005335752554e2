import { describe, expect, test } from "vitest";
import { boundTime, TookTooLongError } from "./bounded.ts";

describe("work whose time is bounded", () => {
  test("gives what it makes, and throws what it throws", () => {
    expect(boundTime(1_000, () => 42)).toBe(42);
    const broken = () =>
      boundTime(1_000, () => {
        throw new RangeError("no");
      });
    expect(broken).toThrow(new RangeError("no"));
  });

  test("is stopped when it takes too long", () => {
    const spin = () => {
      for (;;);
    };
    expect(() => boundTime(50, spin)).toThrow(TookTooLongError);
    expect(boundTime(1_000, () => "the next")).toBe("the next");
  });

  test("is begun anew when the machine gave it no time, and not without end", () => {
    const sleep = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
    let begun = 0;
    const starvedTwice = () => {
      begun += 1;
      if (begun < 3) sleep(5_000);
      return begun;
    };
    expect(boundTime(50, starvedTwice)).toBe(3);
    begun = -100;
    expect(() => boundTime(20, starvedTwice)).toThrow(TookTooLongError);
    expect(begun).toBeGreaterThan(-100);
    expect(begun).toBeLessThan(-80);
  });
});
