import { describe, expect, it } from "vitest";
import { readDocument } from "./document.ts";
import type { Operation } from "./document.ts";
import { initialValues, prepareRequest } from "./request.ts";
import { snippetsOf } from "./snippets.ts";

const idempotencyKey = { name: "Idempotency-Key", in: "header", required: true };
const schema = {
  type: "object",
  properties: { text: { type: "string", default: "it's" }, isNew: { const: true }, none: {} },
  required: ["text", "isNew"],
};
const root = {
  paths: {
    "/run/{toolName}": {
      post: {
        parameters: [
          { name: "toolName", in: "path", required: true },
          { name: "wait", in: "query" },
          idempotencyKey,
        ],
        requestBody: { required: true, content: { "application/json": { schema } } },
        responses: { 200: { content: { "application/json": {} } } },
      },
    },
    "/upload": {
      post: {
        parameters: [idempotencyKey],
        requestBody: {
          content: { "multipart/form-data": { schema: { properties: { file: {} } } } },
        },
      },
    },
  },
};
const [run, upload] = readDocument(root).operations as [Operation, Operation];
const origin = "https://tools.example";

function codeOf(operation: Operation, text?: string) {
  const initial = initialValues(root, operation);
  const values = text === undefined ? initial : { ...initial, text };
  const request = prepareRequest(root, operation, values, { origin, isExample: true });
  const snippets = snippetsOf(request, { hasKey: true, response: "json" });
  return Object.fromEntries(snippets.map(({ id, code }) => [id, code]));
}

describe("prepareRequest", () => {
  const prepare = (parameters: [string, string][]) =>
    prepareRequest(
      root,
      run,
      { ...initialValues(root, run), parameters: new Map(parameters) },
      { origin, isExample: false },
    );

  it("fills in the path and the query, encoded", () => {
    const { url, needsNewId } = prepare([
      ["path:toolName", "../a?b#c"],
      ["query:wait", "1&x=2"],
    ]);
    expect(url).toBe(`${origin}/api/v1/run/..%2Fa%3Fb%23c?wait=1%26x%3D2`);
    expect(needsNewId).toBe(true);
  });

  it("uses the Idempotency-Key that the user entered", () => {
    const { headers, needsNewId } = prepare([["header:Idempotency-Key", "one"]]);
    expect([headers, needsNewId]).toEqual([[["Idempotency-Key", "one"]], false]);
  });
});

describe("snippetsOf", () => {
  it("writes the request in each language", () => {
    const { curl, typescript, python } = codeOf(run);
    expect(curl).toBe(String.raw`curl -s -X POST 'https://tools.example/api/v1/run/TOOL_NAME' \
  -H "Authorization: Bearer $TOOLHOST_API_KEY" \
  -H "Idempotency-Key: $(cat /proc/sys/kernel/random/uuid 2>/dev/null || uuidgen)" \
  -H 'Content-Type: application/json' \
  --data-raw '{"text":"it'\''s","isNew":true}'`);
    expect(typescript)
      .toBe(`const response = await fetch("https://tools.example/api/v1/run/TOOL_NAME", {
  method: "POST",
  headers: {
    authorization: \`Bearer \${process.env.TOOLHOST_API_KEY}\`,
    "idempotency-key": crypto.randomUUID(),
    "content-type": "application/json",
  },
  body: JSON.stringify({
    "text": "it's",
    "isNew": true
  }),
});
if (!response.ok) throw new Error(await response.text());
console.log(await response.json());`);
    expect(python).toBe(`import os
import uuid
import requests

response = requests.post(
    "https://tools.example/api/v1/run/TOOL_NAME",
    headers={
        "Authorization": f"Bearer {os.environ['TOOLHOST_API_KEY']}",
        "Idempotency-Key": str(uuid.uuid4()),
    },
    json={
        "text": "it's",
        "isNew": True,
    },
    timeout=60,
)
response.raise_for_status()
print(response.json())`);
  });

  it("sends text that is not JSON, and a member named __proto__, as it is", () => {
    expect(codeOf(run, "@/etc/passwd")).toMatchObject({
      curl: expect.stringContaining("--data-raw '@/etc/passwd'"),
      typescript: expect.stringContaining('body: "@/etc/passwd"'),
      python: expect.stringContaining('data="@/etc/passwd".encode()'),
    });
    expect(codeOf(run, '{"__proto__":1}')["typescript"]).toContain(
      String.raw`body: "{\"__proto__\":1}"`,
    );
  });

  it("asks for another media type of the response", () => {
    const values = { ...initialValues(root, run), accept: "text/csv" };
    const { headers } = prepareRequest(root, run, values, { origin, isExample: true });
    expect(headers).toEqual([["Accept", "text/csv"]]);
  });

  it("uploads a file as a form", () => {
    expect(codeOf(upload)).toMatchObject({
      curl: expect.stringContaining("-F 'file=@example.txt'"),
      typescript: expect.stringContaining("  body: form,"),
      python: expect.stringContaining('files={"file": open("example.txt", "rb")}'),
    });
  });
});
