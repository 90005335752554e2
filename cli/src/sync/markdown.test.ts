import { describe, expect, it } from "vitest";
import { diffLines } from "../project/diff-lines.ts";
import { toMarkdown } from "./markdown.ts";

/** What GitHub accepts, without the mark of the comment. */
const maxComment = 65_536 - 100;
const toText = (changes: Parameters<typeof toMarkdown>[0]) => toMarkdown(changes).join("\n");
const change = (folder: string, lines: readonly string[]) => ({ folder, state: "changed", lines });

describe("toMarkdown", () => {
  it.each([
    ["characters that grow when they are shown", change("a", ["+\u001B".repeat(200_000)])],
    ["long lines", change("a", [`+${"x".repeat(500_000)}`])],
    [
      "many lines",
      change(
        "a",
        Array.from({ length: 100_000 }, () => "+x"),
      ),
    ],
    ["a fence as long as the text", change("a", [`+${"`".repeat(300_000)}`])],
    ["pairs of surrogates", change("a", [`+${"😀".repeat(200_000)}`])],
  ])("fits into a comment for %s", (_, one) => {
    const text = toText([one]);
    expect(text.length).toBeLessThan(maxComment);
    expect(text).toContain("**a**: changed");
    expect(text.isWellFormed()).toBe(true);
  });

  it("fits into a comment for many tools, and says how many are left out", () => {
    const text = toText(
      Array.from({ length: 3_000 }, (_, at) => change(`tool-${at}`, [`+${"\u009B".repeat(500)}`])),
    );
    expect(text.length).toBeLessThan(maxComment);
    expect(text).toContain("a push changes 3000 tools");
    const shown = text.match(/^\*\*tool-/gm)?.length ?? 0;
    expect(text).toContain(`${3_000 - shown} more tools.`);
  });

  it("shows what terminals and browsers interpret as text", () => {
    const text = toText([change("a", diffLines("", "\u202Ea\u001B[2J\n"))]);
    expect(text).toContain(String.raw`+\u202ea\x1b[2J`);
  });

  it("shows a change of characters that mark styles", () => {
    const text = toText([change("a", diffLines("a\uE002b\n", "a\uE003b\n"))]);
    expect(text).toContain(String.raw`-a\ue002b`);
    expect(text).toContain(String.raw`+a\ue003b`);
    expect(text).not.toMatch(/[\uE000-\uE00F]/);
  });

  it("closes the fence of a line that contains one", () => {
    const lines = toMarkdown([change("a", ["+````", "+x | y"])]);
    expect(lines).toContain("`````diff");
    expect(lines.filter((line) => line === "`````")).toHaveLength(1);
  });
});
