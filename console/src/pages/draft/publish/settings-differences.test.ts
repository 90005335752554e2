import { expect, test } from "vitest";
import { settingsDifferences } from "./settings-differences.ts";

test("what a definition leaves out is what every tool has", () => {
  const live = { title: "A", confirm: false, idempotent: false, limits: {}, visibility: "public" };
  expect(settingsDifferences(live, { title: "A" })).toEqual([]);
  expect(settingsDifferences(live, { title: "A", confirm: true })).toEqual([
    { path: "/confirm", before: false, after: true },
  ]);
});
