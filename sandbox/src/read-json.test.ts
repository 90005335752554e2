import { expect, test } from "vitest";
import { readJson } from "./read-json.ts";

const list = (item: string, count: number) =>
  `[${Array.from({ length: count }, () => item).join()}]`;

test("reads what fits, with commas, colons and brackets in its texts", () => {
  const value = { a: [",:[{".repeat(100_000), '"\\"'], b: null };
  expect(readJson(JSON.stringify(value))).toEqual({ value });
  expect(readJson(list("1", 250_000))).toEqual({ value: Array.from({ length: 250_000 }, () => 1) });
});

test("refuses more than 250,000 names and values", () => {
  expect(readJson(list("1", 250_001))).toEqual({
    tooLarge: "holds more than 250000 names and values",
  });
  expect(readJson(`{${Array.from({ length: 125_001 }, (_, at) => `"p${at}":1`).join()}}`)).toEqual({
    tooLarge: "holds more than 250000 names and values",
  });
});

test("refuses more than 50,000 arrays and objects", () => {
  expect(readJson(list("[]", 49_999))).toHaveProperty("value");
  expect(readJson(list("{}", 50_000))).toEqual({
    tooLarge: "holds more than 50000 arrays and objects",
  });
});

test("refuses what is nested too deeply, and what is no JSON", () => {
  const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
  expect(readJson(nested(1_000))).toHaveProperty("value");
  expect(readJson(nested(1_001))).toEqual({ invalid: "is nested more than 1000 deep" });
  expect(readJson(nested(100_000))).toEqual({ invalid: "is nested more than 1000 deep" });
  expect(readJson("{")).toEqual({ invalid: "is not JSON" });
});
