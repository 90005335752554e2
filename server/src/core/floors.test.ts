import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { floors } from "./floors.ts";

describe("floors", () => {
  it("lists each module of the core", () => {
    const folders = readdirSync(import.meta.dirname, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== "context")
      .map((entry) => entry.name);
    expect(floors.flat().toSorted()).toEqual(folders.toSorted());
  });
});
