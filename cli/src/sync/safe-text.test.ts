import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { plainLine, shellWord } from "./safe-text.ts";

describe("shellWord", () => {
  it.each(["weather", "my-tool_2", "tools/a", "a.b", "text_statistics_ab12"])(
    "leaves %s as it is",
    (word) => expect(shellWord(word)).toBe(word),
  );

  it.each(["", "a b", "$(id)", "`id`", "a;id", "it's", "-rf", "a|b", "~", "*", "a\\b", '"', "é"])(
    "quotes %j, so that a shell reads the same word",
    (word) => {
      const printed = execFileSync("sh", ["-c", `printf %s ${shellWord(word)}`]).toString();
      expect(shellWord(word).startsWith("'")).toBe(true);
      expect(printed).toBe(word);
    },
  );

  it("replaces characters that cannot be typed", () => {
    expect(shellWord("a\n\u001B\u202E\uE002b")).toBe("'a????b'");
  });
});

describe("plainLine", () => {
  it("returns one line without marks of styles", () => {
    expect(plainLine("a\n  b\uE002 | c")).toBe("a b? | c");
    expect(plainLine("x".repeat(300))).toHaveLength(200);
  });
});
