import { afterEach, describe, expect, it } from "vitest";
import { correctClock, systemClock } from "./clock.ts";

const differenceOf = () => systemClock.now() - Date.now();

describe("correctClock", () => {
  afterEach(() => correctClock(0, { before: 0, after: 0 }));

  it("follows a shared clock that differs", () => {
    correctClock(5_000, { before: 0, after: 10 });
    expect(Math.abs(differenceOf() - 4_995)).toBeLessThan(50);
    correctClock(0, { before: 0, after: 0 });
    expect(Math.abs(differenceOf())).toBeLessThan(50);
  });

  it("ignores a difference that the time of the answer explains", () => {
    correctClock(1, { before: 0, after: 1_000 });
    expect(Math.abs(differenceOf())).toBeLessThan(50);
  });
});
