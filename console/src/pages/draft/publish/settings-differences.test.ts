import { describe, expect, test } from "vitest";
import { settingsDifferences } from "./settings-differences.ts";

describe("settingsDifferences", () => {
  test("treats a missing setting as its default", () => {
    const live = {
      title: "A",
      confirm: false,
      idempotent: false,
      limits: {},
      visibility: "public",
    };
    expect(settingsDifferences(live, { title: "A" })).toEqual([]);
    expect(settingsDifferences(live, { title: "A", confirm: true })).toEqual([
      { path: "/confirm", before: false, after: true },
    ]);
  });
});
