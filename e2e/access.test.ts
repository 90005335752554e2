import { createHash, randomUUID } from "node:crypto";
import { apiKey, auditEvent, createdApiKey, me } from "@toolhost/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { dialect } from "./src/database.ts";
import { expectProblem } from "./src/expect-problem.ts";
import { createCall } from "./src/http.ts";
import { proves } from "./src/proves.ts";
import { expectStatus, startServer } from "./src/server.ts";
import { enter, readFirstRun } from "./src/sign-in.ts";
import type { Server } from "./src/server.ts";
import { until } from "./src/until.ts";

const unknownId = "01900000-0000-7000-8000-000000000000";
const adder = "export default async ({ a, b }) => ({ sum: a + b })";

let server: Server;
let adderName: string;

beforeAll(async () => {
  server = await startServer();
  adderName = await server.makeTool(adder);
});
afterAll(() => server?.stop());

const anonymous = () =>
  createCall(
    () => server.baseUrl,
    () => ({}),
  );

describe("authentication", () => {
  const routes = [
    ["GET", "/tools"],
    ["POST", "/tools"],
    ["GET", "/tools/some_tool_abcd"],
    ["PATCH", "/tools/some_tool_abcd"],
    ["DELETE", "/tools/some_tool_abcd"],
    ["GET", "/tools/some_tool_abcd/versions"],
    ["POST", "/tools/some_tool_abcd/versions/1/restore"],
    ["POST", "/run/some_tool_abcd"],
    ["GET", "/runs"],
    ["GET", `/runs/${unknownId}`],
    ["GET", `/runs/${unknownId}/logs`],
    ["POST", `/runs/${unknownId}/cancel`],
    ["GET", "/skill/some_tool_abcd"],
    ["GET", "/skills/search"],
    ["GET", "/api-keys"],
    ["POST", "/api-keys"],
    ["DELETE", `/api-keys/${unknownId}`],
    ["GET", "/audit-events"],
    ["GET", "/me"],
  ] as const;

  test.each(routes)(
    "returns 401 without a key for %s %s",
    proves("auth.bearer", "error.unauthenticated"),
    async (method, path) => {
      const answer = await anonymous()(method, path, method === "GET" ? undefined : {});
      expectProblem(answer, "unauthenticated");
      expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer\b/);
    },
  );

  test("rejects every form of an invalid key", proves("auth.bearer"), async () => {
    const { apiKey: key } = server;
    const last = key.at(-1) === "0" ? "1" : "0";
    const forms = [
      "Bearer",
      "Bearer ",
      `Basic ${key}`,
      key,
      `Bearer ${key} ${key}`,
      `Bearer ${key.slice(0, -1)}`,
      `Bearer ${key.slice(0, -1)}${last}`,
      `Bearer ${key}0`,
      `Bearer ${key.toUpperCase()}`,
      `Bearer th_${"A".repeat(43)}00000000`,
      `Bearer ${"x".repeat(8_000)}`,
      "Bearer undefined",
      "Bearer ' or 1=1 --",
    ];
    for (const authorization of forms) {
      const answer = await anonymous()("GET", "/me", undefined, { authorization });
      expectProblem(answer, "unauthenticated");
      expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer\b/);
    }
  });

  test("accepts Bearer in any case", proves("auth.bearer"), async () => {
    const authorization = `bearer ${server.apiKey}`;
    expectStatus(200, await anonymous()("GET", "/me", undefined, { authorization }));
  });

  test("returns the caller for a key and for a session", proves("me"), async () => {
    const byKey = me.parse(expectStatus(200, await server.call("GET", "/me")).body);
    const bySession = me.parse(expectStatus(200, await server.callAsOwner("GET", "/me")).body);
    expect(byKey).toMatchObject({
      authentication: "api_key",
      workspace: { id: server.workspaceId, role: "owner" },
    });
    expect(bySession).toMatchObject({
      authentication: "session",
      workspace: { id: server.workspaceId },
    });
    expect(byKey.user).toEqual(bySession.user);
  });
});

describe("scopes", () => {
  const cases = [
    { scope: "mcp:read", method: "GET", path: "/tools", allowed: 200 },
    { scope: "mcp:read", method: "GET", path: "/runs", allowed: 200 },
    { scope: "mcp:read", method: "GET", path: "/skills/search", allowed: 200 },
    { scope: "mcp:read", method: "GET", path: "/skill/TOOL", allowed: 200 },
    { scope: "mcp:read", method: "GET", path: "/tools/TOOL", allowed: 200 },
    { scope: "mcp:read", method: "GET", path: `/runs/${unknownId}`, allowed: 404 },
    { scope: "mcp:read", method: "GET", path: `/runs/${unknownId}/logs`, allowed: 404 },
    { scope: "mcp:execute", method: "POST", path: "/run/TOOL", allowed: 200 },
    { scope: "mcp:execute", method: "POST", path: `/runs/${unknownId}/cancel`, allowed: 404 },
    { scope: "tools:write", method: "POST", path: "/tools", allowed: 400 },
    { scope: "tools:write", method: "PATCH", path: "/tools/TOOL", allowed: 400 },
    { scope: "tools:write", method: "DELETE", path: "/tools/none_abcd", allowed: 404 },
    { scope: "tools:write", method: "GET", path: "/tools/TOOL/versions", allowed: 200 },
    { scope: "tools:write", method: "POST", path: "/tools/TOOL/versions/99/restore", allowed: 404 },
    { scope: "audit:read", method: "GET", path: "/audit-events", allowed: 200 },
  ] as const;

  test.each(cases)(
    "requires $scope for $method $path",
    proves("keys.scopes", "scopes.read", "scopes.execute", "error.insufficient_scope"),
    async ({ scope, method, path: template, allowed }) => {
      const path = template.replace("TOOL", adderName);
      const body = method === "GET" || method === "DELETE" ? undefined : {};
      const others = ["mcp:read", "mcp:execute", "tools:write", "credentials:write", "audit:read"];
      const having = await server.createKey({ name: "With", scopes: [scope] });
      const lacking = await server.createKey({
        name: "Without",
        scopes: others.filter((other) => other !== scope),
      });
      expectStatus(allowed, await server.callWithKey(having.key)(method, path, body));
      expectProblem(
        await server.callWithKey(lacking.key)(method, path, body),
        "insufficient_scope",
      );
    },
  );

  test(
    "returns 403 without the scope, whether or not the tool exists",
    proves("scopes.read"),
    async () => {
      const { key } = await server.createKey({ name: "Blind", scopes: ["credentials:write"] });
      const call = server.callWithKey(key);
      expectProblem(await call("GET", `/tools/${adderName}`), "insufficient_scope");
      expectProblem(await call("GET", "/tools/none_abcd"), "insufficient_scope");
    },
  );
});

describe("keys", () => {
  test(
    "shows a key once and lists it without its value",
    proves("keys.create", "keys.scopes"),
    async () => {
      const draft = { name: "Shown once", scopes: ["mcp:read", "mcp:execute"] };
      const created = expectStatus(201, await server.callAsOwner("POST", "/api-keys", draft));
      const parsed = createdApiKey.parse(created.body);
      expect(parsed).toMatchObject({ ...draft, expiresAt: null });
      expect(parsed.key).toContain(parsed.prefix);
      const list = expectStatus(200, await server.callAsOwner("GET", "/api-keys?limit=200"));
      const listed = z.array(apiKey).parse(list.body);
      expect(listed.find(({ id }) => id === parsed.id)).toMatchObject(draft);
      expect(list.text).not.toContain(parsed.key);
      expect(list.text).not.toContain(createHash("sha256").update(parsed.key).digest("hex"));
      expect(list.body.every((key: object) => !("key" in key))).toBe(true);
    },
  );

  test(
    "rejects a revoked key immediately, and accepts the others",
    proves("keys.revoked_alone"),
    async () => {
      const one = await server.createKey({ name: "One", scopes: ["mcp:read"] });
      const other = await server.createKey({ name: "Other", scopes: ["mcp:read"] });
      expectStatus(200, await server.callWithKey(one.key)("GET", "/tools"));
      expectStatus(204, await server.callAsOwner("DELETE", `/api-keys/${one.id}`));
      expectProblem(await server.callWithKey(one.key)("GET", "/tools"), "unauthenticated");
      expectStatus(200, await server.callWithKey(other.key)("GET", "/tools"));
      const { text } = await server.callAsOwner("GET", "/api-keys?limit=200");
      expect(text).not.toContain(one.id);
      expectProblem(await server.callAsOwner("DELETE", `/api-keys/${one.id}`), "not_found");
      expectProblem(await server.callAsOwner("DELETE", `/api-keys/${unknownId}`), "not_found");
    },
  );

  test("rejects an expired key", proves("keys.expire"), async () => {
    const expiresAt = new Date(Date.now() + 1_500).toISOString();
    const { key } = await server.createKey({ name: "Short", scopes: ["mcp:read"], expiresAt });
    expectStatus(200, await server.callWithKey(key)("GET", "/tools"));
    await until("the key has expired", 30_000, () => Date.now() > Date.parse(expiresAt));
    expectProblem(await server.callWithKey(key)("GET", "/tools"), "unauthenticated");
  });

  const badDrafts = [
    {},
    { name: "No scopes", scopes: [] },
    { name: "Unknown scope", scopes: ["everything"] },
    { name: "", scopes: ["mcp:read"] },
    { name: "x".repeat(81), scopes: ["mcp:read"] },
    { name: "Two\nlines", scopes: ["mcp:read"] },
    { name: "Null\u0000byte", scopes: ["mcp:read"] },
    { name: "Past", scopes: ["mcp:read"], expiresAt: "2020-01-01T00:00:00Z" },
    { name: "No time", scopes: ["mcp:read"], expiresAt: "tomorrow" },
    { name: "Extra", scopes: ["mcp:read"], key: "th_mine" },
  ];

  test.each(badDrafts)(
    "rejects the input %o",
    proves("error.invalid_request", "keys.create"),
    async (draft) => {
      const refusal = expectProblem(
        await server.callAsOwner("POST", "/api-keys", draft),
        "invalid_request",
      );
      expect(refusal.errors?.length).toBeGreaterThan(0);
    },
  );

  test(
    "allows only a signed-in user to manage keys",
    proves("auth.session_only", "error.forbidden"),
    async () => {
      const draft = { name: "Mine", scopes: ["mcp:read"] };
      expectProblem(await server.call("GET", "/api-keys"), "forbidden");
      expectProblem(await server.call("POST", "/api-keys", draft), "forbidden");
      expectProblem(await server.call("DELETE", `/api-keys/${unknownId}`), "forbidden");
    },
  );

  test("lists keys page by page", proves("list.cursor"), async () => {
    const ids = [];
    for (const name of ["P1", "P2", "P3"]) {
      ids.push((await server.createKey({ name, scopes: ["mcp:read"] })).id);
    }
    const first = await server.callAsOwner("GET", "/api-keys?limit=2");
    expect(first.body.map(({ id }: { id: string }) => id)).toEqual([ids[2], ids[1]]);
    const cursor = /cursor=([^&>]+)/.exec(first.headers.get("link") ?? "")?.[1];
    const second = await server.callAsOwner("GET", `/api-keys?limit=1&cursor=${cursor}`);
    expect(second.body[0].id).toBe(ids[0]);
  });
});

describe("sessions", () => {
  test(
    "grants the user's rights in the named workspace",
    proves("auth.session", "auth.workspace_header"),
    async () => {
      const here = { "x-workspace-id": server.workspaceId };
      expectStatus(200, await server.callAsOwner("GET", "/tools", undefined, here));
      const run = await server.callAsOwner("POST", `/run/${adderName}`, { a: 1, b: 2 }, here);
      expect(expectStatus(200, run).body.output).toEqual({ sum: 3 });
      const record = await server.call("GET", `/runs/${run.body.runId}`);
      expect(record.body.via).toBe("console");
    },
  );

  test(
    "hides a workspace from non-members",
    proves("auth.workspace_header", "error.not_found"),
    async () => {
      for (const id of [unknownId, "", "nonsense", `${server.workspaceId}x`]) {
        const there = { "x-workspace-id": id };
        expectProblem(await server.callAsOwner("GET", "/tools", undefined, there), "not_found");
      }
    },
  );

  test("rejects pages of another origin", proves("auth.origin", "error.forbidden"), async () => {
    const foreign = [
      { origin: "https://evil.example" },
      { origin: "null" },
      { origin: `${server.baseUrl}.evil.example` },
      { origin: undefined, "sec-fetch-site": "cross-site" },
      { origin: undefined, "sec-fetch-site": "same-site" },
    ];
    for (const headers of foreign) {
      const draft = { name: "Forged", scopes: ["mcp:read"] };
      expectProblem(await server.callAsOwner("POST", "/api-keys", draft, headers), "forbidden");
      expectProblem(
        await server.callAsOwner("POST", `/run/${adderName}`, { a: 1, b: 2 }, headers),
        "forbidden",
      );
    }
    const { text } = await server.callAsOwner("GET", "/api-keys?limit=200");
    expect(text).not.toContain("Forged");
  });

  test("ends the session on sign-out", proves("auth.session"), async () => {
    const person =
      dialect === "sqlite"
        ? await readFirstRun(server.dataDir)
        : { email: "ada@example.com", password: "a long pass phrase" };
    const cookie = await enter(server.baseUrl, "sign-in", person);
    const call = createCall(
      () => server.baseUrl,
      () => ({ cookie }),
    );
    expectStatus(200, await call("GET", "/me"));
    const signOut = await fetch(`${server.baseUrl}/api/auth/sign-out`, {
      method: "POST",
      headers: { cookie, origin: server.baseUrl },
    });
    expect(signOut.status).toBe(200);
    expectProblem(await call("GET", "/me"), "unauthenticated");
    expectStatus(200, await server.callAsOwner("GET", "/me"));
  });

  test("rejects made-up sessions", proves("auth.session"), async () => {
    const [name = ""] = server.cookie.split("=");
    expect(name).toMatch(/^toolhost-\d+\.session_token$/);
    for (const cookie of [`${name}=forged.c2ln`, "other=1", `${name}=`]) {
      const call = createCall(
        () => server.baseUrl,
        () => ({ cookie }),
      );
      expectProblem(await call("GET", "/me"), "unauthenticated");
    }
  });

  test("requires an Idempotency-Key for writes", proves("idempotency.required"), async () => {
    const draft = { name: "No key", scopes: ["mcp:read"] };
    const answer = await server.callAsOwner("POST", "/api-keys", draft, {
      "idempotency-key": undefined,
    });
    expectProblem(answer, "idempotency_key_missing");
  });

  test(
    "makes the first user the owner and closes sign-up for others",
    proves("start.postgres_first_owner"),
    async () => {
      const { body } = await server.callAsOwner("GET", "/me");
      expect(body.workspace.role).toBe("owner");
      if (dialect === "postgres") {
        expect(body.user.email).toBe("ada@example.com");
        // The only tool is the one that this file created.
        const tools = await server.call("GET", "/tools?limit=200");
        expect(tools.body.map(({ name }: { name: string }) => name)).toEqual([adderName]);
      }
      const intruder = { email: "eve@example.com", password: "a long pass phrase", name: "Eve" };
      await expect(enter(server.baseUrl, "sign-up", intruder)).rejects.toThrow("SIGN_UP_CLOSED");
      await expect(enter(server.baseUrl, "sign-in", intruder)).rejects.toThrow(expect.anything());
    },
  );
});

describe("audit events", () => {
  type Event = z.infer<typeof auditEvent>;
  const list = async (query: string) => {
    const answer = expectStatus(200, await server.call("GET", `/audit-events?${query}`));
    return z.array(auditEvent).parse(answer.body);
  };
  const actionsOn = async (target: string) =>
    (await list(`target=${target}&limit=200`)).map(({ action }) => action);

  test("records every run and its result", proves("audit.every_run", "audit.fields"), async () => {
    const good = await server.run(adderName, { a: 1, b: 2 });
    const thrower = await server.makeTool("export default () => { throw new Error('no') }");
    const bad = await server.run(thrower);
    const [event, ...others] = await list(`target=${good.body.runId}`);
    expect(others).toEqual([]);
    const who = (await server.call("GET", "/me")).body.user.id;
    expect(event).toMatchObject({
      workspaceId: server.workspaceId,
      actor: { userId: who, apiKeyId: expect.any(String) },
      via: "rest",
      action: "run.create",
      target: good.body.runId,
      outcome: "success",
      requestId: good.headers.get("x-request-id"),
      ip: expect.stringMatching(/127\.0\.0\.1|::1/),
      details: { toolName: adderName, toolVersion: 1 },
    });
    expect((await list(`target=${bad.body.runId}`)).map(({ outcome }) => outcome)).toEqual([
      "tool_error",
    ]);
  });

  test("records every change of a tool and of a key", proves("audit.every_change"), async () => {
    const name = await server.makeTool(adder);
    await server.call("PATCH", `/tools/${name}`, { title: "Changed" });
    await server.call("POST", `/tools/${name}/versions/1/restore`);
    await server.call("DELETE", `/tools/${name}`);
    expect(await actionsOn(name)).toEqual([
      "tool.archive",
      "tool.restore",
      "tool.update",
      "tool.create",
    ]);
    const key = await server.createKey({ name: "Traced", scopes: ["mcp:read"] });
    await server.callAsOwner("DELETE", `/api-keys/${key.id}`);
    expect(await actionsOn(key.id)).toEqual(["api_key.revoke", "api_key.create"]);
    const events = await server.call("GET", "/audit-events?limit=200");
    expect(events.text).not.toContain(key.key);
  });

  test("records nothing for rejected requests", proves("audit.every_change"), async () => {
    const before = (await list("limit=1"))[0]?.id;
    await server.call("POST", "/tools", { title: "Nothing else" });
    await server.call("PATCH", `/tools/${adderName}`, {
      source: { language: "typescript", code: "(" },
    });
    await server.call("DELETE", "/tools/none_abcd");
    expect((await list("limit=1"))[0]?.id).toBe(before);
  });

  test(
    "lists events newest first, page by page and filtered",
    proves("audit.list", "list.cursor", "list.limit"),
    async () => {
      const all = await list("limit=200");
      const times = all.map(({ at }) => Date.parse(at));
      expect(times).toEqual([...times].toSorted((one, other) => other - one));
      const paged: Event[] = [];
      let query: string | undefined = "limit=3";
      while (query !== undefined && paged.length < 9) {
        const answer = await server.call("GET", `/audit-events?${query}`);
        paged.push(...answer.body);
        query = /\?([^>]*)>; rel="next"/.exec(answer.headers.get("link") ?? "")?.[1];
      }
      expect(paged.map(({ id }) => id)).toEqual(all.slice(0, 9).map(({ id }) => id));
      const [{ actor, at } = { actor: { userId: "" }, at: "" }] = all;
      const created = await list("action=tool.create&limit=200");
      expect(created.length).toBeGreaterThan(0);
      expect(created.every(({ action }) => action === "tool.create")).toBe(true);
      expect((await list(`actor=${actor.userId}&limit=200`)).length).toBeGreaterThan(0);
      expect(await list(`actor=${unknownId}`)).toEqual([]);
      const since = await list(`since=${encodeURIComponent(at)}&limit=200`);
      expect(since.map(({ id }) => id)).toContain(all[0]?.id);
      expect(await list("until=2020-01-01T00:00:00Z")).toEqual([]);
      expect(await list("since=2999-01-01T00:00:00Z")).toEqual([]);
    },
  );

  test("numbers and hashes events within seconds", proves("audit.sealed"), async () => {
    const { body } = await server.run(adderName, { a: 1, b: 1 });
    const sealed = await until("the event is sealed", 30_000, async () => {
      const [event] = await list(`target=${body.runId}`);
      return event?.sequence != null && event;
    });
    expect(sealed.hash).toMatch(/^[0-9a-f]{64}$/);
    const numbered = (await list("limit=200")).flatMap(({ sequence }) => sequence ?? []);
    expect(new Set(numbered).size).toBe(numbered.length);
  });
});

test(
  "rejects a write without an Idempotency-Key, or with one that is not a UUID v4",
  proves(
    "idempotency.required",
    "idempotency.uuid_v4",
    "error.idempotency_key_missing",
    "error.idempotency_key_invalid",
  ),
  async () => {
    const path = `/run/${adderName}`;
    const input = { a: 1, b: 2 };
    const withKey = (key: string | undefined) =>
      server.call("POST", path, input, { "idempotency-key": key });
    const before = await server.call("GET", "/runs?limit=200");
    expectProblem(await withKey(undefined), "idempotency_key_missing");
    const bad = [
      "1",
      "not-a-uuid",
      "00000000-0000-0000-0000-000000000000",
      "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
      "01890a5d-ac96-774b-bcce-b302099a8057",
      `${randomUUID()}0`,
      randomUUID().replaceAll("-", ""),
      `{${randomUUID()}}`,
      `${randomUUID()}, ${randomUUID()}`,
      "x".repeat(5_000),
    ];
    for (const key of bad) expectProblem(await withKey(key), "idempotency_key_invalid");
    expect((await server.call("GET", "/runs?limit=200")).body).toEqual(before.body);
    expectStatus(200, await withKey(randomUUID().toUpperCase()));
  },
);

test("reads without an Idempotency-Key", proves("idempotency.reads_need_none"), async () => {
  expectStatus(200, await server.call("GET", "/tools"));
  expect((await server.call("HEAD", "/tools")).status).toBe(200);
  expect((await server.call("OPTIONS", "/tools")).status).toBe(204);
});

test(
  "responds 404 for unknown runs, tools and skills",
  proves("error.tool_not_found", "error.run_not_found"),
  async () => {
    for (const name of ["none_abcd", "Not a name", "x", "a".repeat(200)]) {
      const path = encodeURIComponent(name);
      expectProblem(await server.call("GET", `/tools/${path}`), "tool_not_found");
      expectProblem(await server.call("GET", `/skill/${path}`), "tool_not_found");
      expectProblem(await server.call("POST", `/run/${path}`, {}), "tool_not_found");
      expectProblem(await server.call("GET", `/tools/${path}/versions`), "tool_not_found");
    }
    for (const id of [unknownId, "nonsense", server.workspaceId]) {
      expectProblem(await server.call("GET", `/runs/${id}`), "run_not_found");
      expectProblem(await server.call("GET", `/runs/${id}/logs`), "run_not_found");
      expectProblem(await server.call("POST", `/runs/${id}/cancel`), "run_not_found");
    }
  },
);
