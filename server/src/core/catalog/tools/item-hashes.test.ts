import { describe, expect, it } from "vitest";
import { findItemHash, formatItemHashes } from "./item-hashes.ts";

describe("findItemHash", () => {
  const formatted = formatItemHashes(
    new Map([
      ["GET /a", "1"],
      ["GET /a b\nc", "22"],
      ["", "3"],
    ]),
  );

  it.each([
    ["GET /a", "1"],
    ["GET /a b\nc", "22"],
    ["", "3"],
    ["GET /", ""],
  ])("finds the hash of %j", (key, hash) => {
    expect(findItemHash(formatted, key)).toBe(hash);
  });

  it("finds nothing without items", () => {
    expect(findItemHash(formatItemHashes(new Map()), "a")).toBe("");
  });
});
