import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readConfig } from "#config";
import {
  createConcurrencyLimits,
  reserveStream,
  reserveUpload,
  reserveWait,
} from "./concurrency-limits.ts";
import { createLimits } from "./limits.ts";
import { draftOf, startTestService } from "#testing/service";
import type { SignedIn, TestService } from "#testing/service";

let test: TestService;
beforeAll(async () => {
  test = await startTestService({ USER_MAX_WORKSPACES: "0" });
});
afterAll(() => test.stop());

/** Replaces the limits of the running service. */
function limit(settings: Record<string, string>): void {
  const off = Object.fromEntries(
    Object.keys(readConfig({}))
      .filter((name) => name.startsWith("RATE_LIMIT_"))
      .map((name) => [name, "0"]),
  );
  const { context } = test.service;
  context.limits = createLimits({ config: readConfig({ ...off, ...settings }), db: context.db });
}

type Identity = { headers: Record<string, string>; workspaceId: string };

/** One person with several workspaces, and several keys and a session in each. */
async function makeMany(): Promise<{ person: SignedIn; identities: Identity[] }> {
  const person = await test.addSignedIn(await test.addWorkspace(), "owner");
  const identities: Identity[] = [];
  for (let n = 0; n < 3; n++) {
    const { body } = await person.call("POST", "/workspaces", { name: `Number ${n}` });
    const workspaceId = String(body.id);
    const inside = { "x-workspace-id": workspaceId };
    identities.push({ headers: { cookie: person.cookie, ...inside }, workspaceId });
    for (let k = 0; k < 2; k++) {
      const scopes = ["mcp:read", "mcp:execute"];
      const key = await person.call("POST", "/api-keys", { name: "Key", scopes }, inside);
      identities.push({ headers: { authorization: `Bearer ${key.body.key}` }, workspaceId });
    }
  }
  return { person, identities };
}

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${test.baseUrl}${path}`, { headers });

const countOk = (answers: readonly { status: number }[]) =>
  answers.filter(({ status }) => status < 300).length;

describe("the limit per user", () => {
  it("applies to all keys, sessions and workspaces together", async () => {
    const { identities } = await makeMany();
    limit({ RATE_LIMIT_USER_REQUESTS_PER_MINUTE: "20" });
    const answers = await Promise.all(
      identities.flatMap(({ headers }) =>
        Array.from({ length: 5 }, () => get("/api/v1/tools", headers)),
      ),
    );
    expect(answers).toHaveLength(45);
    expect(countOk(answers)).toBe(20);
    expect(answers.find(({ status }) => status === 429)?.headers.get("ratelimit")).toMatch(
      /^"user-requests";r=0;t=/,
    );
  });

  it("applies to MCP and REST together, for requests and for runs", async () => {
    const { identities, person } = await makeMany();
    const [{ workspaceId } = { workspaceId: "" }] = identities;
    const inside = { "x-workspace-id": workspaceId };
    const made = await person.call("POST", "/tools", draftOf("export default () => ({})"), inside);
    limit({ RATE_LIMIT_USER_RUNS_PER_MINUTE: "3" });
    const there = identities.filter((identity) => identity.workspaceId === workspaceId);
    const [session, ...keys] = there.map(({ headers }) => headers);
    const run = (headers: Record<string, string>) =>
      person.call("POST", `/run/${made.body.name}`, {}, { cookie: "", ...headers });
    const call = async (headers: Record<string, string>) => {
      const response = await fetch(`${test.baseUrl}/api/mcp`, {
        method: "POST",
        headers: {
          ...headers,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
        },
        body: JSON.stringify({
          jsonrpc: "2.0",
          id: 1,
          method: "tools/call",
          params: { name: made.body.name, arguments: {} },
        }),
      });
      return response.text();
    };
    expect((await run(session ?? {})).status).toBe(200);
    for (const headers of keys) expect((await run(headers)).status).toBe(200);
    expect(await call(keys[0] ?? {})).toContain("runs per minute for one user");
    expect((await run(keys[1] ?? {})).body.code).toBe("rate_limited");
  });

  it("applies by default, as does the limit per workspace", () => {
    const config = readConfig({});
    const { RATE_LIMIT_REQUESTS_PER_MINUTE: ofKey, RATE_LIMIT_RUNS_PER_MINUTE: runsOfKey } = config;
    expect(config.RATE_LIMIT_USER_REQUESTS_PER_MINUTE).toBeGreaterThan(ofKey);
    expect(config.RATE_LIMIT_USER_RUNS_PER_MINUTE).toBeGreaterThan(runsOfKey);
    expect(config.RATE_LIMIT_WORKSPACE_REQUESTS_PER_MINUTE).toBeGreaterThan(ofKey);
    expect(config.RATE_LIMIT_WORKSPACE_RUNS_PER_MINUTE).toBeGreaterThan(runsOfKey);
  });
});

describe("a request without a valid credential", () => {
  it("counts against its IP address, without affecting authenticated requests", async () => {
    const { identities } = await makeMany();
    limit({ RATE_LIMIT_ANONYMOUS_REQUESTS_PER_MINUTE: "20" });
    const attempts = [
      () => get("/api/v1/tools"),
      () => get("/api/v1/tools", { authorization: "Bearer nothing" }),
      () => get("/api/v1/tools", { cookie: "better-auth.session_token=x" }),
      () => get("/api/mcp", { authorization: "Bearer nothing" }),
      () => get("/oauth/authorize?client_id=x", { cookie: "a=b" }),
      () => get("/.well-known/oauth-authorization-server"),
    ];
    const answers = await Promise.all(
      attempts.flatMap((ask) => Array.from({ length: 10 }, () => ask())),
    );
    expect(answers.filter(({ status }) => status !== 429)).toHaveLength(20);
    for (const { headers } of identities) {
      expect((await get("/api/v1/tools", headers)).status).toBe(200);
    }
    expect((await get("/healthz")).status).toBe(200);
    expect((await get("/readyz")).status).toBe(200);
  });

  it("is none of a caller who is over their own limit", async () => {
    limit({});
    const { identities } = await makeMany();
    limit({
      RATE_LIMIT_USER_REQUESTS_PER_MINUTE: "5",
      RATE_LIMIT_ANONYMOUS_REQUESTS_PER_MINUTE: "60",
    });
    const [caller] = identities;
    const answers = await Promise.all(
      Array.from({ length: 80 }, () => get("/api/v1/tools", caller?.headers)),
    );
    expect(countOk(answers)).toBe(5);
    expect((await get("/.well-known/oauth-authorization-server")).status).toBe(200);
  });
});

describe("a concurrent operation", () => {
  const off = { NODE_MAX_STREAMS: "0", KEY_MAX_STREAMS: "0", WORKSPACE_MAX_STREAMS: "0" };
  const start = (settings: Record<string, string>) => ({
    concurrency: createConcurrencyLimits(readConfig({ ...off, ...settings })),
  });
  const caller = (userId: string, workspaceId: string, apiKeyId: string) => ({
    userId,
    workspaceId,
    actor: { userId, apiKeyId },
  });

  it("counts for the user over all keys and workspaces", () => {
    const node = start({ USER_MAX_STREAMS: "2" });
    const end = reserveStream(node, caller("ada", "w1", "k1"));
    reserveStream(node, caller("ada", "w2", "k2"));
    expect(() => reserveStream(node, caller("ada", "w3", "k3"))).toThrow(
      expect.objectContaining({
        code: "rate_limited",
        extra: { limit: { name: "user-streams", max: 2 } },
      }),
    );
    reserveStream(node, caller("bob", "w1", "k4"));
    end();
    end();
    reserveStream(node, caller("ada", "w1", "k1"));
    expect(() => reserveStream(node, caller("ada", "w1", "k1"))).toThrow("streams of one user");
    expect(node.concurrency.count("streams")).toBe(3);
  });

  it("counts for keys, workspaces and the node", () => {
    const ofKey = start({ KEY_MAX_STREAMS: "1" });
    reserveStream(ofKey, caller("ada", "w1", "k1"));
    reserveStream(ofKey, caller("ada", "w1", "k2"));
    expect(() => reserveStream(ofKey, caller("ada", "w1", "k1"))).toThrow("one API key");
    const ofWorkspace = start({ WORKSPACE_MAX_STREAMS: "1" });
    reserveStream(ofWorkspace, caller("ada", "w1", "k1"));
    expect(() => reserveStream(ofWorkspace, caller("bob", "w1", "k2"))).toThrow("one workspace");
    const ofNode = start({ NODE_MAX_STREAMS: "1" });
    reserveStream(ofNode, caller("ada", "w1", "k1"));
    expect(() => reserveStream(ofNode, caller("bob", "w2", "k2"))).toThrow("of this server");
  });

  it("counts only if it is accepted", () => {
    const node = start({ USER_MAX_UPLOADS: "5", WORKSPACE_MAX_UPLOADS: "1" });
    const end = reserveUpload(node, { userId: "ada", workspaceId: "w1" });
    for (let n = 0; n < 10; n++) {
      expect(() => reserveUpload(node, { userId: "ada", workspaceId: "w1" })).toThrow("uploads");
    }
    end();
    reserveUpload(node, { userId: "ada", workspaceId: "w1" });
    expect(node.concurrency.count("uploads")).toBe(1);
  });

  it("returns undefined when too many requests of the user wait", () => {
    const node = start({ USER_MAX_WAITS: "1" });
    expect(reserveWait(node, { userId: "ada" })).toBeTypeOf("function");
    expect(reserveWait(node, { userId: "ada" })).toBeUndefined();
    expect(reserveWait(node, { userId: "bob" })).toBeTypeOf("function");
  });
});

describe("the cap on streams and waits of a service", () => {
  let limited: TestService;
  beforeAll(async () => {
    limited = await startTestService({ USER_MAX_STREAMS: "3", USER_MAX_WAITS: "1" });
  });
  afterAll(() => limited.stop());

  const sleeps =
    "export default async () => { await new Promise((done) => setTimeout(done, 20_000)); return {}; }";

  it("rejects excess streams of any kind that are opened concurrently", async () => {
    const name = await limited.makeTool(sleeps);
    const { body } = await limited.call("POST", `/run/${name}`, {}, { prefer: "respond-async" });
    const leaving = new AbortController();
    const headers = { authorization: `Bearer ${limited.apiKey}`, accept: "text/event-stream" };
    const open = (path: string) =>
      fetch(`${limited.baseUrl}${path}`, { headers, signal: leaving.signal });
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        open(index % 2 === 0 ? `/api/v1/runs/${body.runId}/logs` : "/api/mcp"),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(7);
    leaving.abort();
    await expect.poll(() => limited.service.context.concurrency.count("streams")).toBe(0);
    await limited.call("POST", `/runs/${body.runId}/cancel`);
  });

  it("returns `running` immediately while another request of the user waits", async () => {
    const name = await limited.makeTool(sleeps);
    const answers = [1, 2].map(() =>
      limited.call("POST", `/run/${name}`, {}, { prefer: "wait=55" }),
    );
    const first = await Promise.race(answers);
    expect(first.body.status).toBe("running");
    const running = () => limited.call("GET", "/runs?status=running");
    await expect.poll(async () => (await running()).body).toHaveLength(2);
    for (const { runId } of (await running()).body) {
      await limited.call("POST", `/runs/${runId}/cancel`);
    }
    const ends = (await Promise.all(answers)).map(({ body }) => body.status);
    expect(new Set(ends)).toEqual(new Set(["cancelled", "running"]));
  });
});
