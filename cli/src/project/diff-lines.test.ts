import { applyPatch } from "diff";
import { describe, expect, it } from "vitest";
import { toTerminalText } from "../terminal/text.ts";
import { diffLines } from "./diff-lines.ts";

const plain = (before: string, after: string) =>
  diffLines(before, after).map((line) => toTerminalText(line, false));

describe("diffLines", () => {
  it("shows changes with three lines around them", () => {
    const text = Array.from({ length: 20 }, (_, at) => String(at)).join("\n");
    const lines = plain(text, text.replace("\n10\n", "\nten\n"));
    expect(lines).toEqual(["@@ line 8 @@", " 7", " 8", " 9", "-10", "+ten", " 11", " 12", " 13"]);
  });

  it("returns nothing for equal texts", () => {
    expect(diffLines("a\nb", "a\nb")).toEqual([]);
  });

  it("shows a text that is new or gone without context", () => {
    expect(plain("", "a\nb\n")).toEqual(["+a", "+b"]);
    expect(plain("a\nb\n", "")).toEqual(["-a", "-b"]);
  });

  it("shows that the end of the last line is missing", () => {
    expect(plain("a\n", "a")).toEqual(["-a", "+a", String.raw`\ No newline at end of file`]);
  });

  it("is a patch that turns the first text into the second", () => {
    const [before, after] = ["a\nb\nc\nd\n", "a\nc\nx\nd\n"];
    const hunk = `@@ -1,4 +1,4 @@\n${plain(before, after).join("\n")}\n`;
    expect(applyPatch(before, hunk)).toBe(after);
  });

  it("shows texts that have too little in common as replaced", () => {
    const big = (name: string) =>
      Array.from({ length: 20_000 }, (_, at) => `${name}${at}`).join("\n");
    const lines = plain(big("a"), big("b"));
    expect(lines).toHaveLength(40_000);
    expect(lines[0]).toBe("-a0");
    expect(lines.at(-1)).toBe("+b19999");
  });
});
