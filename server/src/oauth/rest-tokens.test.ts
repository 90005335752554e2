import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  allow,
  askToken,
  authorizeUrl,
  createBrowser,
  makePkce,
  reachConsent,
  redirectUri,
  refresh,
  registerClient,
} from "#testing/oauth-client";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

let test: TestService;
beforeAll(async () => {
  test = await startTestService();
});
afterAll(() => test.stop());

const writeScopes = ["mcp:read", "mcp:execute", "tools:write"];
const restResource = () => `${test.baseUrl}/api/v1`;
const mcpResource = () => `${test.baseUrl}/api/mcp`;

/** Connects a client for a resource, and returns its tokens. */
async function connect(resource: string, scope: string[], known?: string, at = test) {
  const clientId = known ?? (await registerClient(at)).clientId;
  const { verifier, challenge } = makePkce();
  const url = authorizeUrl(at, { clientId, challenge, resource, scope: scope.join(" ") });
  const back = await allow(createBrowser(at), url, at.person, { scope });
  const { body } = await askToken(at, {
    grant_type: "authorization_code",
    client_id: clientId,
    code: back.searchParams.get("code") ?? "",
    code_verifier: verifier,
    redirect_uri: redirectUri,
  });
  return { clientId, token: body.access_token, refreshToken: body.refresh_token };
}

const as = (token: string) => ({ authorization: `Bearer ${token}` });

const statusAtRest = async (token: string) =>
  (await test.call("GET", "/me", undefined, as(token))).status;

async function statusAtMcp(token: string): Promise<number> {
  const response = await fetch(mcpResource(), {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json", ...as(token) },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
  });
  return response.status;
}

async function appsOf(clientId: string) {
  const { body } = await test.callAsOwner("GET", "/connected-apps?limit=200");
  return (body as { id: string; clientId: string; scopes: string[] }[]).filter(
    (one) => one.clientId === clientId,
  );
}

describe("an access token for the REST API", () => {
  it("is described by the metadata of the resource", async () => {
    const url = `${test.baseUrl}/.well-known/oauth-protected-resource/api/v1`;
    expect(await (await fetch(url)).json()).toMatchObject({
      resource: restResource(),
      authorization_servers: [test.baseUrl],
      scopes_supported: [...writeScopes, "credentials:write"],
    });
  });

  it("allows what the user agreed to, and no more", async () => {
    const { token } = await connect(restResource(), writeScopes);
    const { status, body } = await test.call("GET", "/me", undefined, as(token));
    expect(status).toBe(200);
    expect(body).toMatchObject({
      authentication: "access_token",
      scopes: writeScopes,
      workspace: { id: test.workspaceId },
    });
    const draft = { definition: { title: "By token" } };
    expect((await test.call("POST", "/drafts", draft, as(token))).status).toBe(201);
    const credential = { name: "TOKEN", value: "secret value", hosts: ["api.example.com"] };
    const refused = await test.call("POST", "/credentials", credential, as(token));
    expect(refused).toMatchObject({ status: 403, body: { code: "insufficient_scope" } });
    const events = await test.call("GET", "/audit-events?action=draft.create&limit=1");
    expect(events.body[0]).toMatchObject({ via: "rest", actor: { grantId: expect.any(String) } });
  });

  it("is rejected where only people may act, and by the MCP endpoint", async () => {
    const { token } = await connect(restResource(), writeScopes);
    const keys = await test.call("GET", "/api-keys", undefined, as(token));
    expect(keys).toMatchObject({ status: 403, body: { code: "forbidden" } });
    expect(await statusAtMcp(token)).toBe(401);
  });

  it("ends with the connection of the app", async () => {
    const { token, clientId } = await connect(restResource(), ["mcp:read"]);
    const [app] = await appsOf(clientId);
    await test.callAsOwner("DELETE", `/connected-apps/${app?.id}`);
    expect(await statusAtRest(token)).toBe(401);
  });
});

describe("an access token and approvals", () => {
  const allScopes = [...writeScopes, "credentials:write"];
  const host = "api.example.com";
  let count = 0;

  /** A tool of a colleague that requests a credential which the user has, but has not approved. */
  async function makeUnapproved() {
    const name = `TOKEN_${count++}`;
    await test.call("POST", "/credentials", { name, value: "secret value", hosts: [host] });
    const author = await test.addPerson(test.workspaceId, "builder");
    const tool = await test.makeTool("export default async () => ({});");
    const changes = { credentials: [{ name, hosts: [host] }], allowedHosts: [host] };
    const saved = await test.call("PATCH", `/tools/${tool}`, changes, as(author.apiKey));
    expect(saved.status).toBe(200);
    return tool;
  }

  const run = (tool: string, token: string) => test.call("POST", `/run/${tool}`, {}, as(token));

  it("approves nothing without credentials:write, by request, by saving or by running", async () => {
    const { token } = await connect(restResource(), writeScopes);
    const mcp = await connect(mcpResource(), [...allScopes]);
    const tool = await makeUnapproved();
    for (const attempt of [token, mcp.token]) {
      const asked = await test.call(
        "POST",
        `/tools/${tool}/approvals`,
        { version: 2 },
        as(attempt),
      );
      expect(asked.status).toBe(attempt === token ? 403 : 401);
    }
    expect(await run(tool, token)).toMatchObject({
      status: 422,
      body: { code: "credentials_missing" },
    });
    const saved = await test.call("PATCH", `/tools/${tool}`, { title: "By token" }, as(token));
    expect(saved.status).toBe(200);
    for (const caller of [token, test.apiKey]) {
      expect(await run(tool, caller)).toMatchObject({
        status: 422,
        body: { missing: [{ reason: "not_approved" }] },
      });
    }
  });

  it("approves by request with credentials:write, and records the grant", async () => {
    const { token } = await connect(restResource(), allScopes);
    const tool = await makeUnapproved();
    expect((await run(tool, token)).status).toBe(422);
    expect((await run(tool, token)).status).toBe(422);
    const path = `/tools/${tool}/approvals`;
    const stale = await test.call("POST", path, { version: 1 }, as(token));
    expect(stale).toMatchObject({ status: 409, body: { code: "version_not_live" } });
    expect((await test.call("POST", path, { version: 2 }, as(token))).status).toBe(200);
    expect((await run(tool, token)).body.status).toBe("completed");
    const events = await test.call("GET", `/audit-events?target=${tool}&action=tool.approve`);
    expect(events.body[0]).toMatchObject({
      via: "rest",
      actor: { grantId: expect.any(String) },
      details: { how: "request", owner: "user", version: 2 },
    });
  });
});

describe("rate limiting", () => {
  it("counts per grant, whatever its token and resource", async () => {
    const limited = await startTestService({ RATE_LIMIT_REQUESTS_PER_MINUTE: "3" });
    try {
      const resource = `${limited.baseUrl}/api/v1`;
      const first = await connect(resource, ["mcp:read"], undefined, limited);
      const renewed = await refresh(limited, first.clientId, first.refreshToken);
      const other = await connect(resource, ["mcp:read"], undefined, limited);
      const statuses = [];
      for (const token of [first.token, renewed.body.access_token, first.token, first.token]) {
        statuses.push((await limited.call("GET", "/tools", undefined, as(token))).status);
      }
      expect(statuses).toEqual([200, 200, 200, 429]);
      const { token } = other;
      expect((await limited.call("GET", "/tools", undefined, as(token))).status).toBe(200);
    } finally {
      await limited.stop();
    }
  });
});

describe("an access token for the MCP endpoint", () => {
  it("is rejected by the REST API", async () => {
    const { token } = await connect(mcpResource(), ["mcp:read"]);
    const { status, body } = await test.call("GET", "/me", undefined, as(token));
    expect({ status, code: body.code }).toEqual({ status: 401, code: "unauthenticated" });
  });

  it("gets no scopes of the REST API only", async () => {
    const { clientId } = await registerClient(test);
    const { challenge } = makePkce();
    const scope = "mcp:read tools:write credentials:write audit:read";
    const url = authorizeUrl(test, { clientId, challenge, scope });
    const { text } = await reachConsent(createBrowser(test), url, test.person);
    const offered = [...text.matchAll(/name="scope"\s+value="([^"]+)"/g)].map((match) => match[1]);
    expect(offered).toEqual(["mcp:read"]);
  });

  it("is for agents' scopes if the request names none, also for the REST API", async () => {
    const { clientId } = await registerClient(test);
    const { challenge } = makePkce();
    const resource = restResource();
    const url = authorizeUrl(test, { clientId, challenge, resource, scope: undefined });
    const { text } = await reachConsent(createBrowser(test), url, test.person);
    const offered = [...text.matchAll(/name="scope"\s+value="([^"]+)"/g)].map((match) => match[1]);
    expect(offered).toEqual(["mcp:read", "mcp:execute"]);
  });
});

describe("a client with consents for both resources", () => {
  const read = ["mcp:read"];
  const agent = ["mcp:read", "mcp:execute"];

  it.each([
    ["first the MCP endpoint", [mcpResource, restResource]],
    ["first the REST API", [restResource, mcpResource]],
  ] as const)("works at both, in one app: %s", async (_, [first, second]) => {
    const one = await connect(first(), agent);
    const { clientId } = one;
    const two = await connect(second(), agent, clientId);
    const [atFirst, atSecond] =
      first === mcpResource ? [statusAtMcp, statusAtRest] : [statusAtRest, statusAtMcp];
    const renewed = await refresh(test, clientId, one.refreshToken);
    expect(renewed.body.scope).toBe("mcp:read mcp:execute");
    expect((await refresh(test, clientId, two.refreshToken)).body.scope).toBe(
      "mcp:read mcp:execute",
    );
    for (const token of [one.token, renewed.body.access_token]) {
      expect([await atFirst(token), await atSecond(token)]).toEqual([200, 401]);
    }
    expect([await atFirst(two.token), await atSecond(two.token)]).toEqual([401, 200]);
    const apps = await appsOf(clientId);
    expect(apps).toMatchObject([{ scopes: agent }]);
    await test.callAsOwner("DELETE", `/connected-apps/${apps[0]?.id}`);
    expect([await atFirst(one.token), await atSecond(two.token)]).toEqual([401, 401]);
    for (const token of [renewed.body.refresh_token, two.refreshToken]) {
      expect((await refresh(test, clientId, token)).status).toBe(400);
    }
  });

  it("allows at each what was allowed there, and lists all of it", async () => {
    const mcp = await connect(mcpResource(), read);
    const rest = await connect(restResource(), writeScopes, mcp.clientId);
    expect(await appsOf(mcp.clientId)).toMatchObject([{ scopes: writeScopes }]);
    const wider = await refresh(test, mcp.clientId, mcp.refreshToken, { scope: "mcp:execute" });
    expect(wider).toMatchObject({ status: 400, body: { error: "invalid_scope" } });
    const other = await refresh(test, mcp.clientId, mcp.refreshToken, { resource: restResource() });
    expect(other).toMatchObject({ status: 400, body: { error: "invalid_target" } });
    expect((await refresh(test, mcp.clientId, mcp.refreshToken)).body.scope).toBe("mcp:read");
    expect((await refresh(test, mcp.clientId, rest.refreshToken)).body.scope).toBe(
      writeScopes.join(" "),
    );
  });

  it("loses the tokens of one resource when the new consent for it is narrower", async () => {
    const rest = await connect(restResource(), writeScopes);
    const { clientId } = rest;
    const mcp = await connect(mcpResource(), agent, clientId);
    const narrow = await connect(restResource(), read, clientId);
    expect(await statusAtRest(rest.token)).toBe(401);
    expect((await refresh(test, clientId, rest.refreshToken)).status).toBe(400);
    expect(await statusAtRest(narrow.token)).toBe(200);
    expect(await statusAtMcp(mcp.token)).toBe(200);
    expect((await refresh(test, clientId, mcp.refreshToken)).body.scope).toBe(agent.join(" "));
    expect(await appsOf(clientId)).toMatchObject([{ scopes: agent }]);
    const broad = await connect(restResource(), writeScopes, clientId);
    expect(await statusAtRest(broad.token)).toBe(200);
    expect(await statusAtRest(rest.token)).toBe(401);
    expect((await refresh(test, clientId, rest.refreshToken)).status).toBe(400);
  });

  it("keeps both after concurrent consents", async () => {
    const { clientId } = await registerClient(test);
    const answers = await Promise.all(
      [mcpResource, restResource, mcpResource, restResource].map((resource) =>
        connect(resource(), agent, clientId),
      ),
    );
    for (const { refreshToken } of answers) {
      expect((await refresh(test, clientId, refreshToken)).body.scope).toBe(agent.join(" "));
    }
    expect(await appsOf(clientId)).toHaveLength(1);
  });

  it("accepts concurrent refreshes of both, and ends both on later reuse of one", async () => {
    const { context } = test.service;
    const { now } = context.clock;
    const mcp = await connect(mcpResource(), agent);
    const { clientId } = mcp;
    const rest = await connect(restResource(), agent, clientId);
    const renewed = await Promise.all(
      [mcp, rest, mcp, rest, mcp, rest].map(({ refreshToken }) =>
        refresh(test, clientId, refreshToken),
      ),
    );
    expect(renewed.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    try {
      context.clock.now = () => now() + 31_000;
      expect((await refresh(test, clientId, mcp.refreshToken)).status).toBe(400);
    } finally {
      context.clock.now = now;
    }
    expect(await statusAtRest(rest.token)).toBe(401);
    expect(await statusAtMcp(mcp.token)).toBe(401);
  });
});
