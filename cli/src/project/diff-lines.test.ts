import { describe, expect, it } from "vitest";
import { toTerminalText } from "../terminal/text.ts";
import { diffLines } from "./diff-lines.ts";

const plain = (before: string, after: string) =>
  diffLines(before, after).map((line) => toTerminalText(line, false));

/** What the added, removed and kept lines of a full difference stand for. */
function sides(before: string, after: string) {
  const lines = plain(before, after).filter((line) => !line.startsWith("@@"));
  const side = (mark: string) =>
    lines
      .filter((line) => line.startsWith(" ") || line.startsWith(mark))
      .map((line) => line.slice(1));
  return { before: side("-").join("\n"), after: side("+").join("\n") };
}

describe("diffLines", () => {
  it("shows changes with three lines around them", () => {
    const text = Array.from({ length: 20 }, (_, at) => String(at)).join("\n");
    const lines = plain(text, text.replace("\n10\n", "\nten\n"));
    expect(lines).toEqual(["@@ line 8 @@", " 7", " 8", " 9", "-10", "+ten", " 11", " 12", " 13"]);
  });

  it("returns nothing for equal texts", () => {
    expect(diffLines("a\nb", "a\nb")).toEqual([]);
  });

  it("reproduces both texts for random changes", () => {
    let seed = 7;
    const random = (max: number) => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) % max;
    for (let round = 0; round < 300; round++) {
      const a = Array.from({ length: random(7) + 1 }, () => "abc"[random(3)]).join("\n");
      const b = Array.from({ length: random(7) + 1 }, () => "abc"[random(3)]).join("\n");
      if (a === b) continue;
      const lines = diffLines(a, b);
      if (lines.filter((line) => line.includes("@@")).length > 1) continue;
      const shown = sides(a, b);
      // Lines far from a change are left out, so the shown ones are a part of each text.
      expect(`\n${a}\n`).toContain(`\n${shown.before}\n`.replace("\n\n", "\n"));
      expect(`\n${b}\n`).toContain(`\n${shown.after}\n`.replace("\n\n", "\n"));
    }
  });

  it("ends quickly for texts that have nothing in common", () => {
    const big = (mark: string) =>
      Array.from({ length: 20_000 }, (_, at) => `${mark}${at}`).join("\n");
    const startedAt = performance.now();
    expect(diffLines(big("a"), big("b"))).toHaveLength(40_000);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });
});
