import { createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

const ping = { jsonrpc: "2.0", id: 1, method: "ping" };

async function post(baseUrl: string, token: string, body: unknown) {
  const response = await fetch(`${baseUrl}/api/mcp`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}

describe("separate base and MCP URLs", () => {
  let test: TestService;
  let mcpUrl: string;
  beforeAll(async () => {
    const port = await freePort();
    mcpUrl = `http://127.0.0.1:${port}`;
    const BASE_URL = `http://localhost:${port}`;
    test = await startTestService({ PORT: String(port), BASE_URL, MCP_URL: mcpUrl });
  });
  afterAll(() => test?.stop());

  it("accepts API keys at the base URL and access tokens at the MCP URL", async () => {
    expect((await post(test.baseUrl, test.apiKey, ping)).status).toBe(200);
    const refused = await post(mcpUrl, test.apiKey, ping);
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([
      401,
      expect.stringContaining(
        `resource_metadata="${mcpUrl}/.well-known/oauth-protected-resource/api/mcp"`,
      ),
    ]);
    expect(refused.text).toContain(`API keys are for ${test.baseUrl}/api/mcp`);
    const token = await post(test.baseUrl, "x".repeat(43), ping);
    expect([token.status, token.headers.get("www-authenticate")]).toEqual([
      401,
      'Bearer scope="mcp:read mcp:execute", error="invalid_token"',
    ]);
  });
});

describe("the rate limit of the MCP endpoint", () => {
  let test: TestService;
  beforeAll(async () => {
    test = await startTestService({ RATE_LIMIT_REQUESTS_PER_MINUTE: "12" });
  });
  afterAll(() => test?.stop());
  const send = (body: unknown) => post(test.baseUrl, test.apiKey, body);

  it("counts each request, also in a batch, and sends limit headers", async () => {
    const first = await send(ping);
    expect(first.headers.get("ratelimit-policy")).toContain('"requests";q=12');
    const batch = Array.from({ length: 20 }, (_, id) => ({ ...ping, id }));
    const { text } = await send(batch);
    const refused = (JSON.parse(text) as { error?: { data: unknown } }[]).filter(
      ({ error }) => error,
    );
    expect(refused.length).toBeGreaterThanOrEqual(9);
    expect(refused[0]?.error?.data).toMatchObject({ code: "rate_limited" });
    const next = await send(ping);
    expect([next.status, JSON.parse(next.text)]).toMatchObject([
      429,
      { jsonrpc: "2.0", id: null, error: { data: { code: "rate_limited" } } },
    ]);
    expect(Number(next.headers.get("retry-after"))).toBeGreaterThan(0);
  });
});
