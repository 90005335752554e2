import { describe, expect, it } from "vitest";
import { toPlainText, toVisibleText } from "./visible-text.ts";

describe("toVisibleText", () => {
  it.each([
    ["a\u202Eb", "a\\u{202e}b"],
    ["zero\u200Bwidth\u2060", "zero\\u{200b}width\\u{2060}"],
    ["tag\u{E0041}\u{E007F}", "tag\\u{e0041}\\u{e007f}"],
    ["escape\u001B[2J", "escape\\u{1b}[2J"],
    ["line\u2028end", "line\\u{2028}end"],
  ])("shows what is invisible in %j", (text, shown) => {
    expect(toVisibleText(text)).toBe(shown);
  });

  it.each(["\tif (a) {", "Größe 5 €", "日本語", "👩\u200D💻", "a\u200Cb"])(
    "leaves %j unchanged",
    (text) => {
      expect(toVisibleText(text)).toBe(text);
    },
  );
});

describe("toPlainText", () => {
  it.each([
    ["\u001B[31m3 s\u001B[0m of \u001B[1;38;5;4m5 s\u001B[m", "3 s of 5 s"],
    ["\u001B]8;;https://example.com\u001B\\a link\u001B]8;;\u0007", "a link"],
    ["\u001B[2J\u001B[1;1Hclear", "clear"],
    ["two\r\nlines\n\tindented", "two\nlines\n\tindented"],
    ["not ended \u001B[31", "not ended \\u{1b}[31"],
    ["right \u202E to left\rover", "right \\u{202e} to left\\u{d}over"],
  ])("shows %j without what is meant for a terminal", (text, shown) => {
    expect(toPlainText(text)).toBe(shown);
  });

  it("takes a time that grows with the text", () => {
    expect(toPlainText("\u001B]".repeat(100_000))).toBe("\\u{1b}]".repeat(100_000));
  });
});
