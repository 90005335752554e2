import { describe, expect, it } from "vitest";
import { toMattermostMessage } from "./mattermost-message.ts";
import { escapeMattermost, readMattermostText, sanitizeMarkdown } from "./mattermost-text.ts";

const mention = /@(?:all|channel|here)/;
const maskedLink = /(?<!\\)\]\(/;

describe("escapeMattermost", () => {
  it.each(["@all", "@channel", "~town-square", "#tag", "hi @ada!", "https://a.example/@all"])(
    "notifies no one with %s",
    (text) => {
      expect(escapeMattermost(text)).not.toMatch(/[@~#][\w-]/);
    },
  );

  it.each([
    "https://@all see",
    "http://@channel",
    "https://a.example/@all",
    "https://a@all",
    "https://@[Sign-in](https://evil.example)",
    "https://*[Sign-in](https://evil.example)",
    "https://a.example/[Sign-in](https://evil.example)",
    "https://a.example/)**@here",
  ])("mentions no one and hides no URL in %s", (text) => {
    expect(escapeMattermost(text)).not.toMatch(mention);
    expect(escapeMattermost(text)).not.toMatch(maskedLink);
  });

  it.each([
    ["*see* https://a.example/x_y?z=1", String.raw`\*see\* https://a.example/x_y?z=1`],
    ["https://a.example/b_c?d=e&f=1#g", "https://a.example/b_c?d=e&f=1#g"],
    ["(https://a.example:8080/b).", String.raw`\(https://a.example:8080/b).`],
    ["http://localhost:1", "http://localhost:1"],
  ])("keeps the URL of %s", (text, shown) => {
    expect(escapeMattermost(text)).toBe(shown);
  });
});

describe("sanitizeMarkdown", () => {
  it.each([
    "\\` @all [Sign in](https://evil.example) `",
    "x ``` a\n\n@channel [Sign in](https://evil.example)\n\n ``` b",
    "> a\n```\n[Sign in](https://evil.example) @here\n\nb\n```",
  ])("mentions no one and hides no URL in %j", (text) => {
    expect(sanitizeMarkdown(text)).not.toMatch(mention);
    expect(sanitizeMarkdown(text)).not.toMatch(maskedLink);
  });
});

it("keeps a URL with a bar in one cell of a table", () => {
  const table = {
    kind: "table",
    columns: ["a", "b"],
    rows: [["https://a.example/x|y", "z"]],
  } as const;
  const { message } = toMattermostMessage({ baseUrl: "https://t", botToken: "x" }, [table]);
  expect(message.split("\n")[2]).toBe("| https://a.example/x%7Cy | z |");
});

describe("readMattermostText", () => {
  it("removes the mention of the bot only", () => {
    expect(readMattermostText("@toolhost: ask @toolhost-two, x@toolhost", "toolhost")).toBe(
      ": ask @toolhost-two, x@toolhost",
    );
  });
});
