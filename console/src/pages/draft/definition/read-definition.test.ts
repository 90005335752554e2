import { describe, expect, test } from "vitest";
import { readPackages } from "./read-definition.ts";

describe("readPackages", () => {
  test("returns names and versions in order, and invalid and duplicate lines", () => {
    const lines = ["zod@4.6.7", "@scope/a@1.2.3", "ms", "ms 2.1.3", "zod@3.0.0"];
    expect(readPackages(lines)).toEqual({
      packages: { zod: "4.6.7", "@scope/a": "1.2.3", ms: "2.1.3" },
      invalid: ["ms", "zod@3.0.0"],
      unversioned: [],
    });
  });

  test("returns the names without a version of packages that aren't declared", () => {
    const lines = ["zod@4.6.7", "zod", "ms", "@scope/a", "ms", "dayjs@", "A", "../a", "@scope"];
    expect(readPackages(lines).unversioned).toEqual(["ms", "@scope/a"]);
  });
});
