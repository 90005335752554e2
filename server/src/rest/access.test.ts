import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

let test: TestService;
let echo: string;
beforeAll(async () => {
  test = await startTestService();
  echo = await test.makeTool("export default async (input) => input");
});
afterAll(() => test.stop());

const as = (key: string) => ({ authorization: `Bearer ${key}` });

describe("API key", () => {
  it.each([
    ["none", {}],
    ["another scheme", { authorization: "Basic abc" }],
    ["an empty one", { authorization: "Bearer " }],
    ["an unknown one", { authorization: `Bearer th_${"a".repeat(51)}` }],
  ])("returns 401 for %s", async (_, headers) => {
    const response = await fetch(`${test.baseUrl}/api/v1/tools`, { headers });
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toMatch(/^Bearer/);
    expect(await response.json()).toMatchObject({ code: "unauthenticated", status: 401 });
  });

  it("allows only what its scopes permit", async () => {
    const { body } = await test.callAsOwner("POST", "/api-keys", {
      name: "Reader",
      scopes: ["mcp:read"],
    });
    expect((await test.call("GET", "/tools", undefined, as(body.key))).status).toBe(200);
    const refused = await test.call("POST", `/run/${echo}`, {}, as(body.key));
    expect(refused.status).toBe(403);
    expect(refused.body.code).toBe("insufficient_scope");
    expect(refused.headers.get("www-authenticate")).toContain('scope="mcp:execute"');
  });

  it("is shown once, stored as a hash, and stops working when revoked", async () => {
    const made = await test.callAsOwner("POST", "/api-keys", {
      name: "Short",
      scopes: ["mcp:read"],
    });
    expect(made.status).toBe(201);
    const { id, key } = made.body;
    const list = await test.callAsOwner("GET", "/api-keys");
    expect(list.text).not.toContain(key);
    expect(list.body.find((each: { id: string }) => each.id === id)).toMatchObject({
      name: "Short",
    });
    const rows = await test.service.context.db.kysely.selectFrom("api_keys").selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(key);
    expect((await test.call("GET", "/me", undefined, as(key))).status).toBe(200);
    expect((await test.callAsOwner("DELETE", `/api-keys/${id}`)).status).toBe(204);
    expect((await test.call("GET", "/me", undefined, as(key))).status).toBe(401);
    expect((await test.callAsOwner("DELETE", `/api-keys/${id}`)).status).toBe(404);
  });

  it("stops working when it expires", async () => {
    const expiresAt = new Date(Date.now() + 60_000).toISOString();
    const { body } = await test.callAsOwner("POST", "/api-keys", {
      name: "Brief",
      scopes: ["mcp:read"],
      expiresAt,
    });
    expect(body.expiresAt).toBe(expiresAt);
    expect((await test.call("GET", "/me", undefined, as(body.key))).status).toBe(200);
    const { context } = test.service;
    const { now } = context.clock;
    context.clock.now = () => Date.now() + 61_000;
    expect((await test.call("GET", "/me", undefined, as(body.key))).status).toBe(401);
    context.clock.now = now;
    const past = await test.callAsOwner("POST", "/api-keys", {
      name: "Past",
      scopes: ["mcp:read"],
      expiresAt: "2020-01-01T00:00:00Z",
    });
    expect(past.status).toBe(400);
  });

  it("returns 403 for the creation of API keys", async () => {
    const refused = await test.call("POST", "/api-keys", { name: "More", scopes: ["mcp:read"] });
    expect(refused.status).toBe(403);
    expect(refused.body.code).toBe("forbidden");
  });

  it("stops working when its owner leaves, and never exceeds their role", async () => {
    const person = await test.addPerson(test.workspaceId, "viewer");
    const me = await test.call("GET", "/me", undefined, as(person.apiKey));
    expect(me.body.scopes).toEqual(["mcp:read"]);
    await test.service.context.db.kysely
      .deleteFrom("members")
      .where("user_id", "=", person.userId)
      .execute();
    expect((await test.call("GET", "/me", undefined, as(person.apiKey))).status).toBe(401);
  });
});

describe("session", () => {
  const post = (headers: Record<string, string>) =>
    fetch(`${test.baseUrl}/api/v1/run/${echo}`, {
      method: "POST",
      body: "{}",
      headers: {
        cookie: test.cookie,
        "content-type": "application/json",
        "idempotency-key": randomUUID(),
        ...headers,
      },
    });

  it("runs tools with `via` set to console", async () => {
    const response = await post({ origin: test.baseUrl, "x-workspace-id": test.workspaceId });
    expect(response.status).toBe(200);
    const { runId } = (await response.json()) as { runId: string };
    expect((await test.call("GET", `/runs/${runId}`)).body.via).toBe("console");
  });

  it.each<Record<string, string>>([
    { origin: "https://evil.example" },
    { origin: "null" },
    { "sec-fetch-site": "cross-site" },
  ])("returns 403 for requests of other origins: %j", async (headers) => {
    const response = await post(headers);
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ code: "forbidden" });
  });

  it("returns 404 for a workspace that the user is not a member of", async () => {
    const other = await test.addWorkspace();
    expect((await post({ "x-workspace-id": other })).status).toBe(404);
    expect((await post({ "x-workspace-id": "nonsense" })).status).toBe(404);
  });
});

describe("other workspace", () => {
  it("returns 404 for tools, runs and keys of this one", async () => {
    const ran = await test.call("POST", `/run/${echo}`, { secret: 1 });
    const person = await test.addPerson(await test.addWorkspace(), "owner");
    const call = (method: string, path: string, body?: unknown) =>
      test.call(method, path, body, as(person.apiKey));
    expect((await call("GET", "/tools")).body).toEqual([]);
    expect((await call("GET", "/runs")).body).toEqual([]);
    expect((await call("GET", "/skills/search?q=test+tool")).body.results[0].matches).toEqual([]);
    const paths: [string, string, string, unknown?][] = [
      ["GET", `/tools/${echo}`, "tool_not_found"],
      ["PATCH", `/tools/${echo}`, "tool_not_found", { title: "Mine" }],
      ["DELETE", `/tools/${echo}`, "tool_not_found"],
      ["GET", `/tools/${echo}/versions`, "tool_not_found"],
      ["POST", `/tools/${echo}/versions/1/restore`, "tool_not_found"],
      ["POST", `/run/${echo}`, "tool_not_found", {}],
      ["GET", `/skill/${echo}`, "tool_not_found"],
      ["GET", `/runs/${ran.body.runId}`, "run_not_found"],
      ["GET", `/runs/${ran.body.runId}/logs`, "run_not_found"],
      ["POST", `/runs/${ran.body.runId}/cancel`, "run_not_found"],
    ];
    for (const [method, path, code, body] of paths) {
      const refused = await call(method, path, body);
      expect([path, refused.status, refused.body.code]).toEqual([path, 404, code]);
    }
    const events = await call("GET", "/audit-events");
    const own = (event: { workspaceId: string }) => event.workspaceId !== test.workspaceId;
    expect(events.body.every(own)).toBe(true);
  });
});

describe("private tool", () => {
  it("is visible to its owner only", async () => {
    const name = await test.makeTool("export default async () => ({})", {
      title: "Diary reader",
      visibility: "private",
    });
    const person = await test.addPerson(test.workspaceId, "admin");
    const get = (path: string) => test.call("GET", path, undefined, as(person.apiKey));
    expect((await get(`/tools/${name}`)).status).toBe(404);
    expect((await get("/tools")).text).not.toContain(name);
    expect((await get("/skills/search?q=diary+reader")).text).not.toContain(name);
    expect((await get("/skills/search")).text).not.toContain(name);
    expect((await test.call("POST", `/run/${name}`, {}, as(person.apiKey))).status).toBe(404);
    expect((await test.call("GET", "/skills/search?q=diary+reader")).text).toContain(name);
  });
});

describe("module state", () => {
  it("is not shared with runs of another user", async () => {
    const counter = await test.makeTool(
      "export default async () => ({ count: (globalThis.count = (globalThis.count ?? 0) + 1) })",
    );
    const person = await test.addPerson(test.workspaceId, "member");
    for (let round = 0; round < 5; round++) await test.call("POST", `/run/${counter}`, {});
    const first = await test.call("POST", `/run/${counter}`, {}, as(person.apiKey));
    expect(first.body.output).toEqual({ count: 1 });
  });
});

describe("sign-up", () => {
  it("is closed once the server has an owner", async () => {
    const response = await fetch(`${test.baseUrl}/api/auth/sign-up/email`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: test.baseUrl },
      body: JSON.stringify({ name: "Eve", email: "eve@example.com", password: "long enough" }),
    });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ code: "SIGN_UP_CLOSED" });
  });
});

describe("sign-in", () => {
  it.each(["owner@localhost", "nobody@localhost", "ada@example.com", "nobody@example.com"])(
    "does not reveal whether %s exists without the password",
    async (email) => {
      const response = await fetch(`${test.baseUrl}/api/auth/sign-in/email`, {
        method: "POST",
        headers: { "content-type": "application/json", origin: test.baseUrl },
        body: JSON.stringify({ email, password: "not the password" }),
      });
      expect(response.status).toBe(401);
      expect(response.headers.getSetCookie()).toEqual([]);
      expect(await response.json()).toMatchObject({ code: "INVALID_EMAIL_OR_PASSWORD" });
    },
  );
});
