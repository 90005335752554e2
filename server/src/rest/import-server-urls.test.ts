import { afterAll, beforeAll, expect, it } from "vitest";
import { initialized, startMcpUpstream } from "#testing/mcp-upstream";
import type { McpUpstream } from "#testing/mcp-upstream";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

const value = "s3cret/value+of upstream";
let upstream: McpUpstream;
let test: TestService;
let isRepeating = false;
beforeAll(async () => {
  upstream = await startMcpUpstream(({ message, path }, response) => {
    const query = new URL(path, "http://upstream").searchParams;
    if (query.get("apiKey") !== value) return void response.writeHead(401).end();
    if (message?.method === "initialize") return initialized();
    const description = isRepeating ? `Use ${value}` : "Works.";
    if (message?.method === "tools/list") {
      return { tools: [{ name: "work", description, inputSchema: { type: "object" } }] };
    }
    if (message?.method !== "tools/call") return undefined;
    const text = `${query.get("apiKey")} ${query.get("tenant")}`;
    return { content: [{ type: "text", text }] };
  });
  test = await startTestService({ EGRESS_PRIVATE_HOSTS: upstream.host });
  const hosts = [`http://${upstream.host}`];
  await test.callAsOwner("POST", "/credentials", { name: "UPSTREAM_KEY", value, hosts });
});
afterAll(async () => {
  await test.stop();
  upstream.close();
});

const create = (query: string, credential: string | null = null) =>
  test.callAsOwner("POST", "/imports", { kind: "mcp", url: upstream.url + query, credential });

it.each([
  "?apiKey=abc",
  "?api_key=abc",
  "?vendorApiKey=abc",
  "?a=1&access_token=abc",
  "?token=abc",
  "?sig=abc",
  "?password=",
  "?passwd=abc",
  "?session_id=abc",
  "?u=eyJhbGciOiJIUzI1NiJ9.e30.abc",
  "?x=0123456789abcdef0123456789abcdef",
  "?AbCdEfGhIjKlMnOpQrStUvWx0",
])("refuses a secret in the URL: %s", async (query) => {
  const { status, body } = await create(query);
  expect([status, body.code, body.errors[0].path]).toEqual([400, "invalid_request", "/url"]);
  expect(body.detail).toContain("{credential}");
  expect(body.detail).not.toContain("abc");
});

it.each(["?tenant=one", "?keyword=a&author=b", "?id=0b5bd3a5-3a44-4b9c-8d5c-1b0f6d8d2b11"])(
  "accepts a URL without a secret: %s",
  async (query) => {
    const { body } = await create(query);
    expect(body.detail).toContain("requires a sign-in");
  },
);

it.each([
  ["?apiKey={credential}", null, "/credential"],
  ["/{credential}", "UPSTREAM_KEY", "/url"],
  ["?apiKey={credential}&b={credential}", "UPSTREAM_KEY", "/url"],
])("refuses a misplaced credential: %s", async (query, credential, path) => {
  const { status, body } = await create(query, credential);
  expect([status, body.errors?.[0].path]).toEqual([400, path]);
});

it("sends a credential in the query of the URL, where neither the tool nor its code has it", async () => {
  const { body } = await create("?apiKey={credential}&tenant=one", "UPSTREAM_KEY");
  expect(body).toMatchObject({ url: `${upstream.url}?apiKey={credential}&tenant=one` });
  const input = { keys: ["work"], publish: true };
  const made = await test.callAsOwner("POST", `/imports/${body.id}/tools`, input);
  const { toolName } = made.body[0];
  const { text, body: tool } = await test.callAsOwner("GET", `/tools/${toolName}`);
  expect(text).not.toContain("s3cret");
  expect(tool.credentials).toMatchObject([{ name: "UPSTREAM_KEY" }]);
  const ended = await test.callAsOwner("POST", `/run/${toolName}`, {});
  expect(ended.body).toMatchObject({ status: "completed" });
  expect(ended.body.output.text).not.toContain("s3cret");
  expect(ended.body.output.text).toContain("one");
  expect(upstream.received.at(-1)?.headers.authorization).toBeUndefined();
});

it("stores nothing of a server that repeats the credential of the URL", async () => {
  isRepeating = true;
  const { status, text } = await create("?apiKey={credential}", "UPSTREAM_KEY");
  expect([status, text.includes("s3cret")]).toEqual([400, false]);
  expect(text).toContain("repeats the credential");
});
