import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

let test: TestService;

beforeAll(async () => {
  test = await startTestService({ RATE_LIMIT_REQUESTS_PER_MINUTE: "12" });
});
afterAll(() => test?.stop());

const ping = { jsonrpc: "2.0", id: 1, method: "ping" };

async function send(body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${test.baseUrl}/api/mcp`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${test.apiKey}`,
      "content-type": "application/json",
      ...headers,
    },
    body: JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

describe("limits at the MCP endpoint", () => {
  it("count each request, in a batch too, and say where the caller stands", async () => {
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
