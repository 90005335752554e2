import { describe, expect, it } from "vitest";
import { metered, TooCostlyError } from "./meter.ts";
import { createMatcher } from "./pattern.ts";
import { planPattern } from "./pattern-syntax.ts";
import { RE2JS } from "re2js";

const bits = [
  "a",
  "b",
  ".",
  "\\d",
  "\\w",
  "\\s",
  "\\S",
  "\\W",
  "[a-c]",
  "[^a]",
  "[\\s\\d-]",
  "[^\\S]",
  "\\b",
  "\\B",
  "^",
  "$",
  "\\p{L}",
  "\\P{Lu}",
  "\\u00e9",
  "\\u{1f600}",
  "\\ud83d\\ude00",
  "\\x41",
  "\\/",
  "\\.",
  "é",
  "😀",
  "[😀-😂]",
  "\\n",
  "[^]",
  "-",
  " ",
];
const letters = [
  "a",
  "b",
  "c",
  "A",
  "1",
  " ",
  "\n",
  "\u2028",
  "\u00a0",
  "é",
  "😀",
  "-",
  "/",
  ".",
  "_",
  "\ufeff",
];

/** The same numbers each time. */
function createRandom(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function randomPattern(random: (below: number) => number, depth: number): string {
  const atoms = Array.from({ length: 1 + random(3) }, () => {
    const isGroup = depth > 0 && random(3) === 0;
    const atom = isGroup
      ? `(?:${randomPattern(random, depth - 1)})`
      : (bits[random(bits.length)] ?? "a");
    const isAssertion = /^(?:\\[bB]|\^|\$)$/.test(atom);
    return (
      atom +
      (isAssertion
        ? ""
        : (["", "", "", "*", "+", "?", "{2}", "{0,3}", "{1,}", "*?"][random(10)] ?? ""))
    );
  });
  return atoms.join(random(4) === 0 ? "|" : "");
}

describe("createMatcher", () => {
  it("matches like the same JavaScript pattern", { tags: ["nightly"] }, () => {
    const random = createRandom(7);
    let compared = 0;
    for (let round = 0; round < 4_000; round += 1) {
      const pattern = randomPattern(random, 2);
      const native = new RegExp(pattern, "u");
      const linear = RE2JS.compile(planPattern(pattern).re2);
      for (let text = 0; text < 5; text += 1) {
        const input = Array.from({ length: random(8) }, () => letters[random(letters.length)]).join(
          "",
        );
        compared += 1;
        const seen = { pattern, input, matches: linear.test(input) };
        expect(seen).toEqual({ pattern, input, matches: native.test(input) });
      }
    }
    expect(compared).toBe(20_000);
  });

  it.each([
    "^(a+)+$",
    "^(a|a)*$",
    "(x+x+)+y",
    "^(\\w+\\s?)*$",
    "^(a?){30}a{30}$",
    `^${"a?".repeat(60)}${"a".repeat(60)}$`,
  ])("terminates for %s, with RE2 in a process that can be killed only", (pattern) => {
    const matcher = createMatcher(pattern);
    const text = `${"a".repeat(50)}!`;
    expect(() => metered(1_000_000, () => matcher.test(text))).toThrow(TooCostlyError);
    expect(matcher.test(text)).toBe(false);
  });

  it("leaves a text for which RE2 takes less time to a process that can be killed", () => {
    const matcher = createMatcher("a*b");
    const test = (length: number) => metered(1_000_000, () => matcher.test("a".repeat(length)));
    expect(test(20)).toBe(false);
    expect(() => test(200)).toThrow(TooCostlyError);
    expect(matcher.test("a".repeat(200))).toBe(false);
  });

  it.each(["(?=a)b", "(a)\\1", "(?<!a)b", "a{2000}"])(
    "throws TooCostlyError for %s while metered",
    (pattern) => {
      const matcher = createMatcher(pattern);
      expect(() => metered(1_000_000, () => matcher.test("aab"))).toThrow(TooCostlyError);
      expect(() => matcher.test("aab")).not.toThrow();
    },
  );
});
