import { expect, it } from "vitest";
import { toSlackBlocks } from "./slack-blocks.ts";

const hostile = [
  "<!channel> <!everyone|all> <@U0123456789> <#C1|general> <https://evil.example|your bank>",
  "[your bank](https://evil.example) [a [b] c](https://evil.example) ![x](https://evil.example/p.png)",
  "[here][1] [2]\n\n[1]: https://evil.example\n[2]: https://evil.example",
  "``` ` ```",
].join("\n");

it("links the URLs of a text as they are", () => {
  const text = "See https://a.example/b?c=1, or (https://a.example).";
  const [block] = toSlackBlocks([{ kind: "text", text }]);
  expect(block).toMatchObject({
    elements: [
      {
        elements: [
          { type: "text", text: "See " },
          { type: "link", url: "https://a.example/b?c=1" },
          { type: "text", text: ", or (" },
          { type: "link", url: "https://a.example" },
          { type: "text", text: ")." },
        ],
      },
    ],
  });
});

it("removes mentions and masked links from untrusted text in any kind of block", () => {
  const blocks = toSlackBlocks([
    { kind: "text", text: hostile },
    { kind: "markdown", text: hostile },
    { kind: "code", text: hostile },
    { kind: "fields", fields: [{ label: hostile, value: hostile }] },
    { kind: "table", columns: [hostile], rows: [[hostile]] },
    { kind: "table", columns: [hostile], rows: [[hostile]] },
    { kind: "link", label: hostile, url: "https://toolhost.example/runs/1" },
    { kind: "buttons", buttons: [{ label: hostile, questionId: "1", choice: "run" }] },
  ]);
  const kinds = [...JSON.stringify(blocks).matchAll(/"type":"(\w+)"/g)].map(([, kind]) => kind);
  // Slack reads markup only in the text of these, and calls are separate elements.
  for (const kind of ["mrkdwn", "section", "header", "context", "user", "usergroup", "broadcast"]) {
    expect(kinds).not.toContain(kind);
  }
  const markdown = blocks.flatMap((block) => (block.type === "markdown" ? [block] : []));
  expect(markdown).toHaveLength(1);
  for (const block of markdown) {
    expect(JSON.stringify(block)).not.toMatch(/<|\]\(|\]:/);
  }
});
