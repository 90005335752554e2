import { expect, test } from "vitest";
import { readJson } from "./read-json.ts";

const list = (item: string, count: number) =>
  `[${Array.from({ length: count }, () => item).join()}]`;

test("parses texts within the limits, with commas, colons and brackets in strings", () => {
  const value = { a: [",:[{".repeat(100_000), '"\\"'], b: null };
  expect(readJson(JSON.stringify(value))).toEqual({ value });
  expect(readJson(list("1", 600_000))).toEqual({ value: Array.from({ length: 600_000 }, () => 1) });
  expect(readJson(list('{"a":1,"b":{}}', 99_999))).toHaveProperty("value");
});

test("finds the ends of texts with escapes", () => {
  const value = {
    'a"': "\\",
    "\\": '",:[{\\"',
    plain: "x".repeat(1_000),
    list: ["\\\\", '"', "", '\\\\"', "\u2028"],
    last: { 'b\\"': ["y".repeat(1_000), '"'.repeat(1_000)] },
  };
  expect(readJson(JSON.stringify(value))).toEqual({ value });
  const escaped = list(JSON.stringify('"},{"'), 300_000);
  expect(readJson(escaped)).toEqual({ value: JSON.parse(escaped) });
  const nested = JSON.stringify(['\\"'.repeat(10), "[".repeat(2_000)]);
  expect(readJson(nested)).toHaveProperty("value");
  expect(readJson('["a\\')).toEqual({ invalid: "is not valid JSON" });
});

test("rejects more than 600,000 names and values", () => {
  expect(readJson(list("1", 600_001))).toEqual({
    tooLarge: "has more than 600000 names and values",
  });
});

test("rejects more than 30,000 different names, wherever they are", () => {
  const members = (count: number) => Array.from({ length: count }, (_, at) => `"p${at}":1`);
  expect(readJson(`{${members(30_000).join()}}`)).toHaveProperty("value");
  const tooLarge = "has more than 30000 different names";
  expect(readJson(`{${members(30_001).join()}}`)).toEqual({ tooLarge });
  const apart = members(30_001).map((member) => `{${member}}`);
  expect(readJson(`[${apart.join()}]`)).toEqual({ tooLarge });
});

test("counts names whose polynomial hashes with the base 31 are equal", () => {
  const pairs = ["Aa", "BB", "C#"];
  const nameOf = (at: number): string =>
    Array.from({ length: 10 }, (_, digit) => pairs[Math.floor(at / 3 ** digit) % 3]).join("");
  const members = Array.from({ length: 30_001 }, (_, at) => `"${nameOf(at)}":1`);
  const tooLarge = "has more than 30000 different names";
  expect(readJson(`{${members.join()}}`)).toEqual({ tooLarge });
  expect(readJson(`{${members.slice(1).join()}}`)).toHaveProperty("value");
});

test("rejects more than 100 names longer than 16,000 characters", () => {
  const member = (length: number, at: number) => `"${String(at).padStart(length, "x")}":1`;
  const members = (count: number, length: number) =>
    `{${Array.from({ length: count }, (_, at) => member(length, at)).join()}}`;
  expect(readJson(members(100, 16_001))).toHaveProperty("value");
  expect(readJson(members(101, 16_000))).toHaveProperty("value");
  expect(readJson(members(101, 16_001))).toEqual({
    tooLarge: "has more than 100 names longer than 16000 characters",
  });
});

test("rejects more than 200,000 arrays and objects", () => {
  expect(readJson(list("[]", 199_999))).toHaveProperty("value");
  expect(readJson(list("{}", 200_000))).toEqual({
    tooLarge: "has more than 200000 arrays and objects",
  });
});

test("rejects deeply nested texts and texts that are not JSON", () => {
  const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
  expect(readJson(nested(1_000))).toHaveProperty("value");
  expect(readJson(nested(1_001))).toEqual({ invalid: "is nested more than 1000 levels deep" });
  expect(readJson(nested(100_000))).toEqual({ invalid: "is nested more than 1000 levels deep" });
  expect(readJson("{")).toEqual({ invalid: "is not valid JSON" });
});
