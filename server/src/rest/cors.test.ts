import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

const app = "https://app.example.com";
let test: TestService;
beforeAll(async () => {
  test = await startTestService({ CORS_ALLOWED_ORIGINS: `${app},http://localhost:5173` });
});
afterAll(() => test.stop());

const send = (path: string, init: RequestInit & { headers: Record<string, string> }) =>
  fetch(`${test.baseUrl}/api/v1${path}`, init);
const allowedOrigin = ({ headers }: Response) => headers.get("access-control-allow-origin");

describe("a request of a page at an origin in CORS_ALLOWED_ORIGINS", () => {
  const preflight = (path: string, origin: string) =>
    send(path, {
      method: "OPTIONS",
      headers: {
        origin,
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization,idempotency-key",
      },
    });

  it("is allowed by a preflight, without credentials", async () => {
    const response = await preflight("/run/any", app);
    expect([response.status, allowedOrigin(response)]).toEqual([204, app]);
    expect(response.headers.get("access-control-allow-headers")).toContain("Idempotency-Key");
    expect(response.headers.get("access-control-allow-methods")).toContain("PATCH");
    expect(response.headers.get("access-control-allow-credentials")).toBeNull();
  });

  it.each([
    ["a result", "/me", 200],
    ["an error", "/runs/x", 404],
    ["a refused query", "/runs?sort=1", 400],
  ])("returns %s that the page can read", async (_, path, status) => {
    const headers = { origin: app, authorization: `Bearer ${test.apiKey}` };
    const response = await send(path, { headers });
    expect([response.status, allowedOrigin(response)]).toEqual([status, app]);
    expect(response.headers.get("access-control-expose-headers")).toContain("X-Request-Id");
    expect(response.headers.get("vary")).toContain("Origin");
  });

  it("is refused as a write with a session cookie", async () => {
    const headers = { origin: app, cookie: test.cookie, "idempotency-key": randomUUID() };
    const response = await send("/api-keys", { method: "POST", headers, body: "{}" });
    expect([response.status, await response.json()]).toMatchObject([403, { code: "forbidden" }]);
  });

  it("is not allowed from other origins", async () => {
    for (const origin of ["https://evil.example", "null", `${app}.evil.example`]) {
      expect(allowedOrigin(await preflight("/run/any", origin))).toBeNull();
      expect(allowedOrigin(await send("/me", { headers: { origin } }))).toBeNull();
    }
  });

  it("allows any origin to send to an upload URL", async () => {
    const response = await preflight("/uploads/x", "https://widget.example");
    expect(allowedOrigin(response)).toBe("*");
  });
});

describe("a server without CORS_ALLOWED_ORIGINS", () => {
  it("allows no origin", async () => {
    const plain = await startTestService();
    try {
      const response = await fetch(`${plain.baseUrl}/api/v1/me`, { headers: { origin: app } });
      expect(allowedOrigin(response)).toBeNull();
    } finally {
      await plain.stop();
    }
  });
});
