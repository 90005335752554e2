import { describe, expect, test } from "vitest";
import { curlSnippet, fetchSnippet } from "./snippets.ts";

const use = {
  origin: "https://tools.example",
  name: "weather_abcd",
  input: { city: "It's $(rm -rf) `here`", html: "</script>" },
  key: undefined,
};

describe("curlSnippet", () => {
  test("quotes the input for a shell", () => {
    const line = curlSnippet(use);
    expect(line).toContain(String.raw`-d '{"city":"It'\''s $(rm -rf) ` + "`here`");
    expect(line).toContain('"Authorization: Bearer $TOOLHOST_API_KEY"');
    expect(curlSnippet({ ...use, key: "th_secret" })).toContain(
      '"Authorization: Bearer th_secret"',
    );
  });
});

describe("fetchSnippet", () => {
  test("returns TypeScript that sends the same request", async () => {
    const requests: { url: string; body: string }[] = [];
    const code = fetchSnippet({ ...use, key: "th_secret" });
    const stubs = `const fetch = async (url, { body }) => {
      requests.push({ url, body });
      return { ok: true, json: async () => ({ status: "failed" }) };
    };
    const console = { log() {} };`;
    // The snippet has to run as pasted.
    // oxlint-disable-next-line typescript/no-implied-eval
    const run = new Function("requests", `return (async () => { ${stubs} ${code} })()`) as (
      list: typeof requests,
    ) => Promise<void>;
    await run(requests);
    expect(requests[0]?.url).toBe("https://tools.example/api/v1/run/weather_abcd");
    expect(JSON.parse(requests[0]?.body ?? "")).toEqual(use.input);
  });
});

describe("curlSnippet and fetchSnippet", () => {
  test("uploads the file first if the tool takes one", () => {
    const line = curlSnippet({ ...use, input: { scan: "FILE_ID", more: ["FILE_ID"] } });
    expect(line).toContain("FILE_ID=$(curl -s -X POST 'https://tools.example/api/v1/upload'");
    expect(line).toContain(`-d '{"scan":"'"$FILE_ID"'","more":["'"$FILE_ID"'"]}'`);
    expect(fetchSnippet({ ...use, input: { scan: "FILE_ID" } })).toContain('"scan": fileId');
    expect(curlSnippet(use)).not.toContain("/upload");
  });
});
