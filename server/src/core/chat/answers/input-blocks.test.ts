import { expect, it } from "vitest";
import { textOfBlocks } from "../block-text.ts";
import { labelsOf, toBlocks } from "./input-blocks.ts";

const label = (name: string) => name.toUpperCase();

it("shows short values as fields, and others as text or JSON", () => {
  const input = { from: "miles", value: 5, deep: { a: [1] }, exact: true, note: "two\nlines" };
  expect(toBlocks(input, {}, label)).toEqual([
    {
      kind: "fields",
      fields: [
        { label: "FROM", value: "miles" },
        { label: "VALUE", value: "5" },
        { label: "EXACT", value: "yes" },
      ],
    },
    { kind: "text", text: "DEEP:" },
    { kind: "code", text: JSON.stringify({ a: [1] }, null, 2) },
    { kind: "text", text: "NOTE:" },
    { kind: "code", text: "two\nlines" },
  ]);
});

it("shows characters that are invisible, and spaces at the ends", () => {
  const shown = toBlocks({ a: "x\u202Ey", b: " padded " }, {}, label);
  expect(shown).toEqual([
    { kind: "fields", fields: [{ label: "A", value: String.raw`x\u202ey` }] },
    { kind: "text", text: "B:" },
    { kind: "code", text: " padded " },
  ]);
});

it("names every attached file", () => {
  const names = [...["a", "b", "c", "d"].map((letter) => letter.repeat(250)), "payroll.xlsx"];
  const files = names.map((name) => ({ id: name, name, mimeType: "text/plain", size: 1 }));
  const shown = textOfBlocks(toBlocks({}, { files }, label));
  for (const name of names) expect(shown).toContain(name);
});

it("gives every field a label of its own, in one line", () => {
  const properties = {
    userId: { type: "string" },
    user_id: { type: "string" },
    to: { title: "Recipient\nAmount: 1" },
    amount: { type: "number" },
  };
  const names = [...Object.keys(properties), "Amount", "note\nAmount: 1\u202E", "toString"];
  const labels = labelsOf({ inputSchema: { type: "object", properties } }, names);
  expect(Object.fromEntries(labels)).toEqual({
    userId: 'User ID ("userId")',
    user_id: 'User ID ("user_id")',
    to: "Recipient Amount: 1",
    amount: 'Amount ("amount")',
    Amount: 'Amount ("Amount")',
    "note\nAmount: 1\u202E": String.raw`"note\nAmount: 1\u202e"`,
    toString: "To string",
  });
});
