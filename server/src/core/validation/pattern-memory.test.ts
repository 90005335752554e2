import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { createMatcher } from "./pattern.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

const MEBIBYTE = 1024 * 1024;

function heapUsed(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

/** Texts of `a` and `b` that differ from each other. */
const texts = Array.from({ length: 4_096 }, (_, number) =>
  number.toString(2).padStart(12, "0").repeat(3).replaceAll("0", "a").replaceAll("1", "b"),
);

it("retains little of what it has found in texts", () => {
  const matchers = Array.from({ length: 40 }, (_, number) =>
    // Each has a state for every sequence of thirteen letters.
    createMatcher(`^(a|b)*a(a|b){12}c${number}$`),
  );
  const before = heapUsed();
  for (const [number, matcher] of matchers.entries()) {
    for (const text of texts) matcher.test(`${text}c${number}`);
  }
  expect(heapUsed() - before).toBeLessThan(45 * MEBIBYTE);
  for (const [number, matcher] of matchers.entries()) {
    expect(matcher.test(`${"b".repeat(13)}c${number}`)).toBe(false);
  }
});
