import { expect, it } from "vitest";
import { similarity } from "./similarity.ts";

it("is 1 for equal texts, 0 for texts without a common pair, and between for others", () => {
  expect(similarity("add_numbers_k3x9", "add_numbers_k3x9")).toBe(1);
  expect(similarity("abc", "xyz")).toBe(0);
  expect(similarity("add_numbers_k3x9", "ad_numbres_k3x9")).toBeGreaterThan(0.5);
  expect(similarity("add_numbers_k3x9", "convert_currency_aaaa")).toBeLessThan(0.3);
  for (const [one, other] of [
    ["", ""],
    ["a", "a"],
  ] as const)
    expect(similarity(one, other)).toBe(1);
  expect(similarity("", "a")).toBe(0);
});
