import { describe, expect, test } from "vitest";
import { diffLines, toHunks } from "./line-diff.ts";
import type { DiffLine } from "./line-diff.ts";

const marks = { same: " ", added: "+", removed: "-" };
const inShort = (lines: DiffLine[]) => lines.map(({ kind, text }) => marks[kind] + text);
const sideOf = (lines: DiffLine[], other: DiffLine["kind"]) =>
  lines.filter(({ kind }) => kind !== other).map(({ text }) => text);

describe("diffLines", () => {
  test("returns added, removed and unchanged lines", () => {
    expect(inShort(diffLines("a\nb\nc\nd", "a\nc\nx\nd"))).toEqual([" a", "-b", " c", "+x", " d"]);
    expect(inShort(diffLines("", "a\nb"))).toEqual(["+a", "+b"]);
    expect(inShort(diffLines("a", ""))).toEqual(["-a"]);
    expect(inShort(diffLines("a\nb", "a\nb"))).toEqual([" a", " b"]);
  });

  test("returns every line of both texts", () => {
    let seed = 7;
    const next = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed % below;
    };
    for (let round = 0; round < 300; round += 1) {
      const text = () =>
        Array.from({ length: 1 + next(12) }, () => "abcd"[next(4)] ?? "").join("\n");
      const [before, after] = [text(), text()];
      const lines = diffLines(before, after);
      expect(sideOf(lines, "added").join("\n")).toBe(before);
      expect(sideOf(lines, "removed").join("\n")).toBe(after);
    }
  });

  test("shows the middle as replaced when there are too many changes", () => {
    const many = (name: string) => Array.from({ length: 3_000 }, (_, at) => name + at).join("\n");
    const lines = diffLines(`first\n${many("a")}\nlast`, `first\n${many("b")}\nlast`);
    expect(lines).toHaveLength(6_002);
    expect(lines[0]).toEqual({ kind: "same", text: "first" });
    expect(lines[1]).toEqual({ kind: "removed", text: "a0" });
    expect(lines.at(-1)).toEqual({ kind: "same", text: "last" });
  });
});

describe("toHunks", () => {
  test("omits lines far from any change, and counts lines on both sides", () => {
    const before = Array.from({ length: 20 }, (_, at) => `line ${at + 1}`);
    const after = before.with(9, "changed");
    expect(toHunks(diffLines(before.join("\n"), after.join("\n")), 1)).toEqual([
      { skipped: 8 },
      {
        oldStart: 9,
        newStart: 9,
        lines: [
          { kind: "same", text: "line 9" },
          { kind: "removed", text: "line 10" },
          { kind: "added", text: "changed" },
          { kind: "same", text: "line 11" },
        ],
      },
      { skipped: 9 },
    ]);
    expect(toHunks(diffLines("a", "a"))).toEqual([{ skipped: 1 }]);
  });
});
