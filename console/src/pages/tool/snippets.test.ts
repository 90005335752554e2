import { expect, test } from "vitest";
import { sampleInput } from "./sample-input.ts";
import { curlSnippet, fetchSnippet } from "./snippets.ts";

const use = {
  origin: "https://tools.example",
  name: "weather_abcd",
  input: { city: "It's $(rm -rf) `here`", html: "</script>" },
  key: undefined,
};

test("quotes the input so that a shell takes it as it is", () => {
  const line = curlSnippet(use);
  expect(line).toContain(String.raw`-d '{"city":"It'\''s $(rm -rf) ` + "`here`");
  expect(line).toContain('"Authorization: Bearer $TOOLHOST_API_KEY"');
  expect(curlSnippet({ ...use, key: "th_secret" })).toContain('"Authorization: Bearer th_secret"');
});

test("gives TypeScript that sends the same", async () => {
  const asked: { url: string; body: string }[] = [];
  const code = fetchSnippet({ ...use, key: "th_secret" });
  const pretended = `const fetch = async (url, { body }) => {
    asked.push({ url, body });
    return { ok: true, json: async () => ({ status: "failed" }) };
  };
  const console = { log() {} };`;
  // What people paste has to be a program as it stands.
  // oxlint-disable-next-line typescript/no-implied-eval
  const run = new Function("asked", `return (async () => { ${pretended} ${code} })()`) as (
    list: typeof asked,
  ) => Promise<void>;
  await run(asked);
  expect(asked[0]?.url).toBe("https://tools.example/api/v1/run/weather_abcd");
  expect(JSON.parse(asked[0]?.body ?? "")).toEqual(use.input);
});

test("makes up an input of what a schema asks for", () => {
  const schema = {
    type: "object",
    required: ["city", "days", "unit", "place", "list", "fixed", "either"],
    properties: {
      city: { type: "string", examples: ["Rome"] },
      days: { type: "integer", minimum: 3 },
      unit: { enum: ["c", "f"] },
      place: { type: "object", required: ["lat"], properties: { lat: { type: "number" } } },
      list: { type: "array" },
      fixed: { const: 7 },
      either: { type: ["boolean", "null"] },
      left: { type: "string" },
    },
  };
  expect(sampleInput(schema)).toEqual({
    city: "Rome",
    days: 3,
    unit: "c",
    place: { lat: 1 },
    list: [],
    fixed: 7,
    either: true,
  });
  expect(sampleInput({ required: 3, properties: [] })).toEqual({});
});
