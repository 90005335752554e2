import { describe, expect, it } from "vitest";
import type { ChatBlock } from "#core/chat";
import { whatIsWrong } from "#testing/fake-discord";
import { toDiscordMessage } from "./discord-message.ts";
import { escapeDiscord, sanitizeMarkdown } from "./discord-text.ts";

const textOf = (blocks: readonly ChatBlock[]) =>
  toDiscordMessage(blocks)
    .content.components.map((one) => ("content" in one ? one.content : ""))
    .join("\n");

describe("text from a tool", () => {
  it.each([
    ["@everyone", String.raw`\@everyone`],
    ["<@1> <#2> <t:3>", String.raw`\<\@1> \<#2> \<t:3>`],
    ["[bank](https://evil.example)", String.raw`\[bank\](https\://evil.example)`],
    ["# one\n- two\n> three\n4. four", "\\# one\n\\- two\n\\> three\n4\\. four"],
    ["**a** ~~b~~ ||c|| `d`", String.raw`\*\*a\*\* \~\~b\~\~ \|\|c\|\| \`d\``],
    ["2026-01-31, about 3.5", "2026-01-31, about 3.5"],
  ])("renders %j literally", (text, shown) => {
    expect(escapeDiscord(text)).toBe(shown);
  });

  it("keeps its formatting as Markdown, without mentions and masked links", () => {
    const shown = sanitizeMarkdown("**a** [b](https://c.example) @here <@1> `<@2>`");
    expect(shown).toBe("**a** [b]\u200B (https://c.example) @\u200Bhere \\<@\u200B1> `<@2>`");
  });

  it("stays inside its code block", () => {
    const shown = textOf([{ kind: "code", text: "a ``` @everyone ```` b" }]);
    expect(shown.match(/```/g)).toHaveLength(2);
  });
});

describe("a message", () => {
  it("mentions only its recipient", () => {
    const { content } = toDiscordMessage([{ kind: "text", text: "<@222>" }], { notify: "111" });
    expect(content.allowed_mentions).toEqual({ parse: [], users: ["111"] });
    expect(content.components[0]).toMatchObject({ content: "<@111>\n\\<\\@222>" });
  });

  it("keeps its buttons, and its full text as a file, beyond the limits", () => {
    const pieces = Array.from({ length: 4 }, (_, n) => `${n}`.repeat(2_500));
    const blocks: ChatBlock[] = [
      ...pieces.map((text) => ({ kind: "code", text }) as const),
      { kind: "buttons", buttons: [{ label: "Run", questionId: "q", choice: "run" }] },
    ];
    const { content, whole } = toDiscordMessage(blocks);
    expect(whatIsWrong({ ...content })).toBeUndefined();
    expect(whole?.toString()).toBe(pieces.join("\n"));
    expect(JSON.stringify(content.components)).toContain("q:run");
    expect(content.components.at(-1)).toMatchObject({ type: 13 });
  });

  it.each<[string, ChatBlock[]]>([
    ["of nothing", [{ kind: "text", text: "" }]],
    ["of much markup", [{ kind: "text", text: "*_`".repeat(5_000) }]],
    [
      "of many images",
      Array.from({ length: 50 }, () => ({
        kind: "image",
        url: "https://a.example/b.png",
        description: "",
      })),
    ],
    [
      "of many links",
      Array.from({ length: 50 }, (_, n) => ({
        kind: "link",
        label: "x".repeat(200),
        url: `https://a.example/${n}`,
      })),
    ],
    [
      "of the same button twice",
      [
        {
          kind: "buttons",
          buttons: [
            { label: "a", questionId: "q", choice: "x" },
            { label: "b", questionId: "q", choice: "x" },
            { label: "c", questionId: "q", choice: "y".repeat(200) },
            { label: "d", url: "javascript:alert(1)" },
          ],
        },
      ],
    ],
    [
      "of a wide table",
      [
        {
          kind: "table",
          columns: ["a", "b"],
          rows: Array.from({ length: 500 }, () => ["x".repeat(300), "`".repeat(30)]),
        },
      ],
    ],
    ["of fields", [{ kind: "fields", fields: [{ label: "**a", value: "b" }] }]],
  ])("%s is valid for Discord", (_, blocks) => {
    const { content } = toDiscordMessage(blocks, { mark: "m" });
    expect(whatIsWrong({ ...content })).toBeUndefined();
    expect(JSON.stringify(content)).not.toContain("javascript:");
  });
});
