import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { requirements } from "./requirements.ts";

const folder = import.meta.dirname;

/** The requirement IDs in all test files, read from their text so that no test has to run first. */
const proven = new Set(
  readdirSync(folder)
    .filter((name) => name.endsWith(".test.ts"))
    .flatMap((name) => [
      ...readFileSync(join(folder, name), "utf8").matchAll(/\bproves\(([^()]*)\)/g),
    ])
    .flatMap(([, ids = ""]) => [...ids.matchAll(/"([^"]+)"/g)].map(([, id]) => id)),
);

test("lists every requirement once", () => {
  const ids = requirements.map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)]);
});

test("has a test for every requirement", () => {
  const unproven = requirements.filter(({ id }) => !proven.has(id));
  expect(unproven.map(({ id, text }) => `${id}: ${text}`)).toEqual([]);
});

test("rejects unknown requirement IDs in tests", () => {
  const known = new Set(requirements.map(({ id }) => id));
  expect([...proven].filter((id) => id === undefined || !known.has(id))).toEqual([]);
});
