import { expect, it } from "vitest";
import { toJsonText, withJsonText } from "./json-text.ts";

it("serializes like JSON.stringify, with the texts that it remembers", () => {
  const text = `{ "b": "${"x".repeat(70_000)}" }`;
  const large = withJsonText(JSON.parse(text) as object, text);
  const body = { 'a"': 1, none: undefined, large, deep: { large }, 3: [null] };
  expect(toJsonText(body)).toBe(
    `{"3":[null],"a\\"":1,"large":${text},"deep":${JSON.stringify({ large })}}`,
  );
});

it("serializes other values like JSON.stringify", () => {
  const small = withJsonText({ a: 1 }, '{ "a": 1 }');
  for (const value of [{ small }, [small], "a", null, { at: new Date(0) }]) {
    expect(toJsonText(value)).toBe(JSON.stringify(value));
  }
});
