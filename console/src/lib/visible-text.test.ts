import { describe, expect, it } from "vitest";
import { toVisibleText } from "./visible-text.ts";

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
