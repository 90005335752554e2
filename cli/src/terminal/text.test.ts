import { describe, expect, it } from "vitest";
import { styled, toJsonText, toTable, toTerminalText } from "./text.ts";

describe("toTerminalText", () => {
  it("shows control characters as their code", () => {
    const text = "a\u001B[2Jb\u009B31mc\u0007\u202Ed\re\u2066";
    expect(toTerminalText(text, true)).toBe("a\\x1b[2Jb\\x9b31mc\\x07\\u202ed\\x0de\\u2066");
  });

  it("keeps line ends and tabs", () => {
    expect(toTerminalText("a\r\nb\tc\n", false)).toBe("a\nb\tc\n");
  });

  it("applies styles only with color, and resets them", () => {
    expect(toTerminalText(styled("red", "no"), true)).toBe("\u001B[31mno\u001B[0m");
    expect(toTerminalText(styled("red", "no"), false)).toBe("no");
    expect(toTerminalText("\uE002 hostile", true)).toBe("\u001B[31m hostile\u001B[0m");
  });
});

describe("toJsonText", () => {
  it("escapes what terminals interpret, and stays the same JSON", () => {
    const value = { text: "\u009B31m\u202E\u001B" };
    const text = toJsonText(value);
    // oxlint-disable-next-line no-control-regex -- a terminal interprets them
    expect(text).not.toMatch(/[\u007F-\u009F\u202E\u001B]/);
    expect(JSON.parse(text)).toEqual(value);
  });
});

describe("toTable", () => {
  it("aligns columns by what is visible", () => {
    const rows = toTable([
      ["a", styled("red", "bb"), "c"],
      ["aaa", "b", "c"],
    ]);
    expect(rows.map((row) => toTerminalText(row, false))).toEqual(["a    bb  c", "aaa  b   c"]);
  });
});
