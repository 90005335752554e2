import { describe, expect, it } from "vitest";
import { compare } from "./compare.ts";

const base = { version: 2, updatedAt: "second", hash: "base" };
const remote = (version: number, hash: string, updatedAt = version === 2 ? "second" : "later") => ({
  version,
  updatedAt,
  hash,
});

describe("compare", () => {
  it.each([
    ["unchanged", base, "base", remote(2, "base")],
    ["changed", base, "here", remote(2, "base")],
    ["changed on the server", base, "base", remote(3, "there")],
    ["conflict: changed on both sides", base, "here", remote(3, "there")],
    ["same change", base, "same", remote(3, "same")],
    ["deleted", base, undefined, remote(2, "base")],
    ["conflict: deleted here, changed on the server", base, undefined, remote(3, "there")],
    ["archived on the server", base, "base", undefined],
    ["conflict: changed here, archived on the server", base, "here", undefined],
    ["gone", base, undefined, undefined],
    ["new", undefined, "here", undefined],
    ["only on the server", undefined, undefined, remote(1, "there")],
    ["same change", undefined, "same", remote(1, "same")],
    ["conflict: not linked", undefined, "here", remote(1, "there")],
    ["unchanged", base, "base", remote(4, "base")],
    ["changed", base, "here", remote(4, "base")],
    ["unchanged", base, "base", remote(2, "stored otherwise")],
    ["changed on the server", base, "base", remote(2, "restored", "other")],
    ["changed on the server", { version: 2, hash: "base" }, "base", remote(2, "there")],
    ["unchanged", { version: 2, hash: "base" }, "base", remote(2, "base")],
    ["changed", { ...base, serverHash: "stored" }, "here", remote(4, "stored")],
    [
      "conflict: changed on both sides",
      { ...base, serverHash: "stored" },
      "here",
      remote(4, "base"),
    ],
  ] as const)("returns %s", (state, common, local, server) => {
    expect(compare({ base: common, local, remote: server })).toBe(state);
  });
});
