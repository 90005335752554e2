import { describe, expect, it } from "vitest";
import { escapeMattermost, readMattermostText, sanitizeMarkdown } from "./mattermost-text.ts";

describe("escapeMattermost", () => {
  it.each(["@all", "@channel", "~town-square", "#tag", "hi @ada!", "https://a.example/@all"])(
    "notifies no one with %s",
    (text) => {
      expect(escapeMattermost(text)).not.toMatch(/[@~#][\w-]/);
    },
  );

  it("keeps URLs, and escapes markup beside them", () => {
    expect(escapeMattermost("*see* https://a.example/x_y?z=1")).toBe(
      String.raw`\*see\* https://a.example/x_y?z=1`,
    );
  });

  it("ends no cell of a table with a URL", () => {
    expect(escapeMattermost("https://a.example/|b")).not.toContain("|");
  });
});

describe("sanitizeMarkdown", () => {
  it("hides no URL behind other text, and leaves code as it is", () => {
    const shown = sanitizeMarkdown("[bank](https://evil.example) `@all [a](b)` @all");
    expect(shown).toContain("[bank] (https://evil.example)");
    expect(shown).toContain("`@all [a](b)`");
    expect(shown).not.toMatch(/@all$/);
  });
});

describe("readMattermostText", () => {
  it("removes the mention of the bot only", () => {
    expect(readMattermostText("@toolhost: ask @toolhost-two, x@toolhost", "toolhost")).toBe(
      ": ask @toolhost-two, x@toolhost",
    );
  });
});
