import { describe, expect, it } from "vitest";
import type { ChatBlock, ChatField, ChatForm } from "#core/chat";
import { checkCard } from "#testing/fake-teams-card";
import { showsWhole, toCard, toPlainMessage, toTeamsMessage } from "./teams-card.ts";
import { readFormValues, toFormCard } from "./teams-form.ts";
import { toMarkdown } from "./teams-text.ts";

const maxMessageBytes = 28 * 1024;
const press = { label: "Run", questionId: "q", choice: "run" };

const texts = [
  "",
  " ",
  "plain",
  "<at>Ada</at> {{DATE(2026-01-01)}} **b** `c`\n\n- d",
  "see https://example.com/a?b=(c). and http://x",
  "\u0001".repeat(3_000),
  "字".repeat(9_000),
  "https://example.com/ ".repeat(900),
  "x".repeat(40_000),
];

const blocksOf = (text: string): ChatBlock[] => [
  { kind: "text", text },
  { kind: "markdown", text },
  { kind: "code", text },
  { kind: "fields", fields: [{ label: "a", value: text }] },
  { kind: "table", columns: ["a", "b"], rows: [[text, ""], [text]] },
  { kind: "table", columns: [], rows: [] },
  { kind: "image", url: "https://example.com/a.png", description: text || "picture" },
  { kind: "link", label: text, url: "https://example.com" },
  { kind: "feedback", questionId: "q" },
  { kind: "buttons", buttons: [{ label: "Open", url: "https://example.com" }, press] },
];

describe("a message", () => {
  it("is a valid card of at most 28 KB, whatever its blocks contain", () => {
    const all = texts.flatMap((text) => blocksOf(text));
    const lists = [...all.map((block) => [block]), ...texts.map(blocksOf), all];
    for (const blocks of lists) {
      expect(checkCard(toCard(blocks))).toEqual([]);
      expect(Buffer.byteLength(JSON.stringify(toTeamsMessage(blocks)))).toBeLessThan(
        maxMessageBytes,
      );
      expect(Buffer.byteLength(JSON.stringify(toPlainMessage(blocks)))).toBeLessThan(
        maxMessageBytes,
      );
    }
  });

  it("shows no button to press unless it shows everything", () => {
    const buttons: ChatBlock = { kind: "buttons", buttons: [press] };
    const long: ChatBlock = { kind: "code", text: "x".repeat(30_000) };
    expect(showsWhole([long])).toBe(false);
    expect(JSON.stringify(toCard([long, buttons]))).not.toContain("Action.Execute");
    expect(JSON.stringify(toCard([buttons]))).toContain("Action.Execute");
  });

  it("splits buttons into rows that Teams shows", () => {
    const buttons = Array.from({ length: 23 }, (_, index) => ({ ...press, label: `B${index}` }));
    expect(checkCard(toCard([{ kind: "buttons", buttons }]))).toEqual([]);
  });

  it("mentions only the person who is notified", () => {
    const mention = { id: "29:ada", name: "Ada" };
    const card = toCard([{ kind: "text", text: "<at>Bob</at>" }], mention);
    expect(checkCard(card)).toEqual([]);
    expect(card).toMatchObject({ msteams: { entities: [{ mentioned: mention }] } });
  });

  it("keeps markup of a model from mentioning anyone, hiding a URL and calling functions", () => {
    const { text } = toMarkdown("<at>Ada</at> [bank](https://evil.example) {{TIME(x)}}");
    expect(text).not.toMatch(/<at>|\]\(|\{\{/);
  });
});

const field = (rest: Partial<ChatField>) =>
  ({ name: "f", label: "F", isRequired: true, kind: "text", ...rest }) as ChatField;
const formOf = (fields: readonly ChatField[]): ChatForm => ({
  questionId: "q",
  choice: "fill",
  title: "Weigh",
  submitLabel: "Run",
  fields,
});

describe("a form", () => {
  const choices = [
    { label: "A", value: "0" },
    { label: "B", value: "1" },
  ];
  const form = formOf([
    field({ name: "text", kind: "text", initial: "x", maxLength: 5 }),
    field({ name: "long", kind: "longText", hint: "Hint {{DATE()}}" }),
    field({ name: "secret", kind: "text", content: "password", initial: "hunter2" }),
    field({ name: "number", kind: "number", isWhole: true, min: 1, initial: "2" }),
    field({ name: "boolean", kind: "boolean", initial: true }),
    field({ name: "date", kind: "date" }),
    field({ name: "time", kind: "time" }),
    field({ name: "choice", kind: "choice", choices, initial: "1" }),
    field({ name: "choices", kind: "choices", choices, initial: ["0", "1"] }),
    field({ name: "__proto__", kind: "text" }),
  ]);

  it("is a valid card that shows no password", () => {
    const card = toFormCard(form, { problems: [{ name: "text", message: "Too long." }] });
    expect(checkCard(card)).toEqual([]);
    expect(JSON.stringify(card)).toContain("Too long.");
    expect(JSON.stringify(card)).not.toContain("hunter2");
  });

  it("reads the values of its inputs", () => {
    const data = {
      "field:text": "y",
      "field:long": " ",
      "field:number": 3,
      "field:boolean": "false",
      "field:choices": "0,1",
      "field:unknown": "z",
      "field:date": { $gt: "" },
    };
    const expected = { text: "y", number: "3", boolean: false, choices: ["0", "1"] };
    expect(readFormValues(form, data)).toEqual(expected);
  });

  it.each([
    ["files", [field({ kind: "file", maxFiles: 1 })]],
    ["more than a card holds", [field({ kind: "longText", initial: "x".repeat(30_000) })]],
  ])("is refused with %s, so that it becomes a page", (_, fields) => {
    expect(() => toFormCard(formOf(fields))).toThrow("form:");
  });
});
