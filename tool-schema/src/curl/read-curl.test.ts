import { describe, expect, it } from "vitest";
import { readCurl } from "./read-curl.ts";

const start = "curl https://api.example.com/x";

function outcomeOf(command: string): string {
  try {
    return readCurl(command).url;
  } catch (error) {
    return error instanceof Error ? error.name : "";
  }
}

describe("readCurl", () => {
  it("reads method, URL, query, headers and body", () => {
    const command = String.raw`curl -X PATCH 'https://api.example.com/v1/users/42?notify=a%20b' \
      -H 'X-Version: 2' -H "accept: application/json" --json '{"name":"Ada"}'`;
    expect(readCurl(command)).toEqual({
      method: "PATCH",
      url: "https://api.example.com/v1/users/42",
      query: [{ name: "notify", value: "a b" }],
      headers: [
        { name: "x-version", value: "2" },
        { name: "accept", value: "application/json" },
      ],
      cookies: [],
      user: undefined,
      body: { kind: "json", mediaType: "application/json", value: { name: "Ada" } },
      notes: [],
    });
  });

  it.each([
    ["single quotes", String.raw`-d 'it'\''s=1'`, "it's"],
    ["double quotes", String.raw`-d "a\"b\"=1"`, 'a"b"'],
    ["quotes of Chromium", String.raw`--data-raw $'it\'s\u0021=1'`, "it's!"],
    ["parts without spaces", `-d'a'"b"c=1`, "abc"],
  ])("reads %s as Bash does", (_, option, name) => {
    expect(readCurl(`${start} ${option}`).body).toEqual({
      kind: "form",
      fields: [{ name, value: "1" }],
    });
  });

  it("reads what a browser copies for the Windows command line", () => {
    const command = [
      'curl ^"https://api.example.com/x?a=1^&b=2^" ^',
      '  -H ^"content-type: application/json^" ^',
      String.raw`  --data-raw ^"^{^\^"a^\^":1^}^"`,
    ].join("\r\n");
    expect(readCurl(command)).toMatchObject({
      method: "POST",
      query: [
        { name: "a", value: "1" },
        { name: "b", value: "2" },
      ],
      body: { kind: "json", value: { a: 1 } },
    });
  });

  it.each([
    ["-sLX PUT https://a.example", "PUT"],
    ["-I https://a.example", "HEAD"],
    ["-X DELETE --url https://a.example", "DELETE"],
    ["https://a.example -d a=1", "POST"],
    ["-G https://a.example -d a=1", "GET"],
    ["-T file https://a.example", "PUT"],
  ])("reads the method of %s", (options, method) => {
    expect(readCurl(`curl ${options}`).method).toBe(method);
  });

  it("moves the data of -G into the query", () => {
    const { query, body } = readCurl(`${start} -G -d a=1 --data-urlencode 'q=x & y'`);
    expect(query).toEqual([
      { name: "a", value: "1" },
      { name: "q", value: "x & y" },
    ]);
    expect(body).toEqual({ kind: "none" });
  });

  it("reads forms with files", () => {
    const { body } = readCurl(`${start} -F 'note=a;type=text/plain' -F file=@photo.png`);
    expect(body).toEqual({
      kind: "multipart",
      parts: [
        { name: "note", value: "a", mediaType: "text/plain" },
        { name: "file", isFile: true },
      ],
    });
  });

  it("reads a here-document as the body", () => {
    const command = `${start} -H 'Content-Type: application/json' -d @- <<'EOF'\n{"a":\n1}\nEOF\necho done`;
    const { body, notes } = readCurl(command);
    expect(body).toMatchObject({ kind: "json", value: { a: 1 } });
    expect(notes).toEqual(["Only the first command was read."]);
  });

  it.each([
    ["-u 'ada:s3cr:et'", "ada", "s3cr:et"],
    ["-H 'Authorization: Basic YWRhOnMzY3JldA=='", "ada", "s3cret"],
    ["-u sk_live_1:", "sk_live_1", ""],
  ])("reads the login of %s", (option, name, password) => {
    expect(readCurl(`${start} ${option}`)).toMatchObject({ user: { name, password }, headers: [] });
  });

  it("removes a login from the URL", () => {
    const { url, user } = readCurl("curl https://ada:s%2Fx@api.example.com/x");
    expect(url).toBe("https://api.example.com/x");
    expect(user).toEqual({ name: "ada", password: "s/x" });
  });

  it("reads only the first of several commands, and no redirection", () => {
    const { url, notes } = readCurl(`$ ${start} -o out.json 2>/dev/null | jq . > y`);
    expect(url).toBe("https://api.example.com/x");
    expect(notes).toEqual(["Only the first command was read."]);
  });

  it("leaves out headers that describe a browser, and says so", () => {
    const { headers, notes } = readCurl(
      `${start} -H 'sec-fetch-mode: cors' -A Mozilla -H 'User-Agent: Mozilla' -H 'X-Team: a'`,
    );
    expect(headers).toEqual([{ name: "x-team", value: "a" }]);
    expect(notes).toEqual([
      "Headers that describe a browser are left out: sec-fetch-mode, user-agent.",
    ]);
  });

  it("uses HTTPS for a URL without a scheme", () => {
    const { url, notes } = readCurl("curl api.example.com/x");
    expect(url).toBe("https://api.example.com/x");
    expect(notes).toEqual(["The URL has no scheme, so https:// is used."]);
  });

  it.each([
    ["", "Paste a curl command."],
    ["wget https://a.example", 'must start with "curl"'],
    ["curl -d a=1", "contains no URL"],
    ["curl ftp://a.example", "https:// or http://"],
    ["curl https://", "is not valid"],
    ["curl 'https://a.example", "is not closed"],
    ["curl https://a.example -X OPTIONS", "OPTIONS"],
    ["curl https://a.example -H", "-H needs a value"],
    ["Invoke-WebRequest -Uri https://a.example", "PowerShell"],
    [`curl https://a.example -d ${"x".repeat(200_000)}`, "128 kB"],
  ])("throws for an unusable command %#", (command, message) => {
    expect(() => readCurl(command)).toThrow(message);
  });

  it.each([
    "<".repeat(120_000),
    "'\\''".repeat(30_000),
    "$'".repeat(60_000),
    `"${"\\".repeat(120_000)}"`,
  ])(
    "reads or refuses hostile text %#",
    (text) => expect(outcomeOf(`${start} ${text}`)).toMatch(/^https:|^CurlError$/),
    5_000,
  );

  it("reads a body that is nested too deeply as text", () => {
    const text = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
    const { body } = readCurl(`${start} -H 'content-type: application/json' -d '${text}'`);
    expect(body).toMatchObject({ kind: "text", mediaType: "application/json" });
  });
});
