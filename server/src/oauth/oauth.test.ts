import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  allow,
  askToken,
  authorizeUrl,
  connectClient,
  createBrowser,
  followToClient,
  makePkce,
  reachConsent,
  redirectUri,
  refresh,
  registerClient,
} from "#testing/oauth-client";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";
import { authenticateToken } from "#core/identity";
import { sweep } from "#core/workspaces";

let test: TestService;
beforeAll(async () => {
  test = await startTestService();
});
afterAll(() => test.stop());

const origin = { requestId: "test", ip: null };
const whoIs = (token: string) => authenticateToken(test.service.context, token, origin, "mcp");
const problemPage = async (url: string) => {
  const response = await createBrowser(test).get(url);
  return { status: response.status, text: await response.text(), response };
};

describe("discovery", () => {
  it("describes the authorization server at all standard URLs", async () => {
    const documents = await Promise.all(
      [
        "/.well-known/oauth-authorization-server",
        "/.well-known/oauth-authorization-server/api/mcp",
        "/.well-known/oauth-authorization-server/mcp",
        "/.well-known/openid-configuration",
        "/.well-known/openid-configuration/api/mcp",
        "/api/mcp/.well-known/openid-configuration",
      ].map(async (path) => {
        const response = await fetch(test.baseUrl + path);
        expect(response.headers.get("access-control-allow-origin")).toBe("*");
        return (await response.json()) as Record<string, unknown>;
      }),
    );
    for (const document of documents) expect(document).toEqual(documents[0]);
    expect(documents[0]).toMatchObject({
      issuer: test.baseUrl,
      authorization_endpoint: `${test.baseUrl}/oauth/authorize`,
      token_endpoint: `${test.baseUrl}/oauth/token`,
      registration_endpoint: `${test.baseUrl}/oauth/register`,
      revocation_endpoint: `${test.baseUrl}/oauth/revoke`,
      code_challenge_methods_supported: ["S256"],
      response_types_supported: ["code"],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
    });
  });

  it("uses the configured URL, regardless of the Host header", async () => {
    const { request } = await import("node:http");
    const { port } = new URL(test.baseUrl);
    const text = await new Promise<string>((resolve, reject) => {
      const path = "/.well-known/oauth-authorization-server";
      const headers = { host: "evil.example", "x-forwarded-host": "evil.example" };
      request({ port, path, headers, host: "127.0.0.1" }, (response) => {
        response.setEncoding("utf8").once("data", resolve);
      })
        .on("error", reject)
        .end();
    });
    expect(text).not.toContain("evil");
    expect(text).toContain(test.baseUrl);
  });

  it("describes the MCP endpoint under each of its addresses", async () => {
    const read = async (path: string) => {
      const response = await fetch(`${test.baseUrl}/.well-known/oauth-protected-resource${path}`);
      return response.json() as Promise<Record<string, unknown>>;
    };
    expect(await read("")).toMatchObject({
      resource: `${test.baseUrl}/api/mcp`,
      authorization_servers: [test.baseUrl],
      scopes_supported: ["mcp:read", "mcp:execute"],
    });
    expect(await read("/api/mcp")).toEqual(await read(""));
    expect((await read("/mcp"))["resource"]).toBe(`${test.baseUrl}/mcp`);
    expect((await read("/origin"))["resource"]).toBe(test.baseUrl);
  });
});

describe("registration", () => {
  it("accepts registrations of real clients and stores only known fields", async () => {
    const { status, body } = await registerClient(test, {
      client_name: "Claude\u202E\u0000 Code",
      client_uri: "http://plain.example",
      logo_uri: "https://claude.example/logo.png",
      scope: "openid profile mcp:read unknown:scope",
      grant_types: ["authorization_code", "refresh_token", "implicit"],
      redirect_uris: ["cursor://anysphere.cursor-mcp/oauth/callback", "http://localhost/callback"],
      software_statement: "x",
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      client_name: "Claude Code",
      logo_uri: "https://claude.example/logo.png",
      grant_types: ["authorization_code", "refresh_token"],
      token_endpoint_auth_method: "none",
    });
    expect(body).not.toHaveProperty("client_uri");
    expect(body).not.toHaveProperty("client_secret");
  });

  it.for([
    ["a script", ["javascript:alert(1)"]],
    ["data", ["data:text/html,x"]],
    ["a fragment", ["https://client.example/cb#x"]],
    ["plain http to another machine", ["http://client.example/cb"]],
    ["a user's name", ["https://user:password@client.example/cb"]],
    ["text that is no address", ["client"]],
    ["a line break", ["https://client.example/cb\r\nx: y"]],
    ["no address at all", []],
    ["too many", Array.from({ length: 21 }, (_, index) => `https://client.example/${index}`)],
  ] as const)("refuses redirect addresses with %s", async ([, redirectUris]) => {
    const { status, body } = await registerClient(test, { redirect_uris: redirectUris });
    expect(status).toBe(400);
    expect(body["error"]).toBe("invalid_redirect_uri");
  });

  it("refuses private schemes that are not allowed with the code of RFC 7591", async () => {
    for (const redirect of [
      "ms-msdt:/id",
      "search-ms:query=x",
      "tel:+123",
      "jar:https://a.example!/",
    ]) {
      const { status, body } = await registerClient(test, {
        redirect_uris: ["https://client.example/cb", redirect],
      });
      expect({ redirect, status, error: body["error"] }).toEqual({
        redirect,
        status: 400,
        error: "invalid_redirect_uri",
      });
    }
  });

  it("checks redirect URIs again at authorization if the rules have changed", async () => {
    const { kysely } = test.service.context.db;
    const change = async (clientId: string, changes: object) => {
      const records = kysely.selectFrom("oauth_records").select("payload");
      const stored = records.where("model", "=", "Client").where("id", "=", clientId);
      const { payload } = await stored.executeTakeFirstOrThrow();
      await kysely
        .updateTable("oauth_records")
        .set({ payload: JSON.stringify({ ...(JSON.parse(payload) as object), ...changes }) })
        .where("model", "=", "Client")
        .where("id", "=", clientId)
        .execute();
    };
    const ask = async (clientId: string, redirect: string) => {
      const { challenge } = makePkce();
      const url = authorizeUrl(test, { clientId, challenge, redirect_uri: redirect });
      const { status, response } = await problemPage(url);
      return { status, isConsent: response.headers.get("location")?.includes("/oauth/consent") };
    };
    const refused = { status: 400, isConsent: undefined };
    const asked = { status: 303, isConsent: true };
    const mixed = await registerClient(test);
    await change(mixed.clientId, { redirect_uris: [redirectUri, "search-ms:query=x"] });
    expect(await ask(mixed.clientId, "search-ms:query=x")).toEqual(refused);
    expect(await ask(mixed.clientId, redirectUri)).toEqual(asked);
    const hostile = await registerClient(test);
    await change(hostile.clientId, { redirect_uris: ["ms-msdt:/id"] });
    expect(await ask(hostile.clientId, "ms-msdt:/id")).toEqual(refused);
  });

  it("rejects metadata of a megabyte and invalid metadata", async () => {
    const large = await registerClient(test, { client_name: "x".repeat(1024 * 1024) });
    expect(large).toMatchObject({ status: 413, body: { error: "invalid_client_metadata" } });
    const long = await registerClient(test, { client_name: "x".repeat(10_000) });
    expect(String(long.body["client_name"])).toHaveLength(80);
    const response = await fetch(`${test.baseUrl}/oauth/register`, { method: "POST", body: "[1]" });
    expect(response.status).toBe(400);
  });

  it("stores a client secret as a hash that still authenticates the client", async () => {
    const { clientId, body } = await registerClient(test, {
      token_endpoint_auth_method: "client_secret_post",
    });
    const secret = String(body["client_secret"]);
    const rows = await test.service.context.db.kysely
      .selectFrom("oauth_records")
      .selectAll()
      .execute();
    expect(JSON.stringify(rows)).not.toContain(secret);
    const { verifier, challenge } = makePkce();
    const url = authorizeUrl(test, { clientId, challenge });
    const back = await allow(createBrowser(test), url, test.person);
    const exchange = (clientSecret: string) =>
      askToken(test, {
        grant_type: "authorization_code",
        client_id: clientId,
        client_secret: clientSecret,
        code: back.searchParams.get("code") ?? "",
        code_verifier: verifier,
        redirect_uri: redirectUri,
      });
    expect(await exchange("wrong")).toMatchObject({
      status: 401,
      body: { error: "invalid_client" },
    });
    expect((await exchange(secret)).status).toBe(200);
  });
});

describe("the consent page", () => {
  it("shows the app, redirect target, user and scopes, and cannot be framed", async () => {
    const { clientId } = await registerClient(test, { client_name: "<b>Evil</b>" });
    const url = authorizeUrl(test, { clientId, challenge: makePkce().challenge });
    const page = await reachConsent(createBrowser(test), url, test.person);
    expect(page.status).toBe(200);
    for (const part of [
      "&lt;b&gt;Evil&lt;/b&gt;",
      "127.0.0.1:33418",
      test.person.email,
      "View tools, documentation and runs",
      "Run tools with your credentials",
    ]) {
      expect(page.text).toContain(part);
    }
    expect(page.text).not.toContain("<b>");
    expect(page.text).not.toContain("<script");
    const policy = page.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("form-action 'self' http://127.0.0.1:33418");
    expect(page.headers.get("x-frame-options")).toBe("DENY");
    expect(page.headers.get("cache-control")).toBe("no-store");
  });

  it("redirects with an error when the person declines", async () => {
    const { clientId } = await registerClient(test);
    const browser = createBrowser(test);
    const url = authorizeUrl(test, { clientId, challenge: makePkce().challenge });
    const { fields } = await reachConsent(browser, url, test.person);
    const answer = await browser.post("/oauth/consent", { ...fields, decision: "deny" });
    const back = await followToClient(browser, answer);
    expect(Object.fromEntries(back.searchParams)).toMatchObject({
      error: "access_denied",
      state: "the state",
      iss: test.baseUrl,
    });
  });

  it("redirects to private schemes", async () => {
    const redirect = "cursor://anysphere.cursor-mcp/oauth/callback";
    const { clientId } = await registerClient(test, { redirect_uris: [redirect] });
    const url = authorizeUrl(test, {
      clientId,
      challenge: makePkce().challenge,
      redirect_uri: redirect,
    });
    const back = await allow(createBrowser(test), url, test.person);
    expect(back.href.startsWith(`${redirect}?`)).toBe(true);
    expect(back.searchParams.get("code")).toBeTruthy();
    expect(back.searchParams.get("iss")).toBe(test.baseUrl);
  });

  it("accepts one decision, from its own page, in the browser that started the request", async () => {
    const { clientId } = await registerClient(test);
    const browser = createBrowser(test);
    const url = authorizeUrl(test, { clientId, challenge: makePkce().challenge });
    const { fields } = await reachConsent(browser, url, test.person);
    const form = { ...fields, scope: ["mcp:read"], decision: "allow" };
    for (const headers of [
      { origin: "https://evil.example" },
      { origin: "null", "sec-fetch-site": "cross-site" },
      { origin: "null" },
    ] as Record<string, string>[]) {
      expect((await browser.post("/oauth/consent", form, headers)).status).toBe(403);
    }
    const foreign = await browser.post("/oauth/consent", { ...form, workspace: "another" });
    expect(foreign.status).toBe(403);
    const other = await createBrowser(test).post("/oauth/consent", form);
    expect(other.status).toBe(404);
    const stale = await browser.post("/oauth/consent", { ...form, uid: "another" });
    expect(stale.status).toBe(404);
    const nothing = await browser.post("/oauth/consent", { ...form, scope: [] });
    expect(nothing.status).toBe(400);
    // The request is still open, with the selection.
    expect(await nothing.text()).toMatch(/Select at least one permission, or decline.*<form/s);
    expect((await browser.post("/oauth/consent", form)).status).toBe(303);
    expect((await browser.post("/oauth/consent", form)).status).toBe(404);
  });

  it("asks again if another user has signed in", async () => {
    const { clientId } = await registerClient(test);
    const browser = createBrowser(test);
    const url = authorizeUrl(test, { clientId, challenge: makePkce().challenge });
    const { fields } = await reachConsent(browser, url, test.person);
    const answer = await browser.post("/oauth/consent", {
      ...fields,
      person: "another",
      scope: ["mcp:read"],
      decision: "allow",
    });
    expect(answer.headers.get("location")).toContain("/oauth/consent");
  });

  it("grants only scopes that were requested and selected", async () => {
    const { clientId } = await registerClient(test);
    const { verifier, challenge } = makePkce();
    const url = authorizeUrl(test, { clientId, challenge, scope: "mcp:read" });
    const back = await allow(createBrowser(test), url, test.person, {
      scope: ["mcp:read", "mcp:execute", "tools:write"],
    });
    const { body } = await askToken(test, {
      grant_type: "authorization_code",
      client_id: clientId,
      code: back.searchParams.get("code") ?? "",
      code_verifier: verifier,
      redirect_uri: redirectUri,
    });
    expect(body.scope).toBe("mcp:read");
    expect([...(await whoIs(body.access_token)).scopes]).toEqual(["mcp:read"]);
    const wider = await refresh(test, clientId, body.refresh_token, {
      scope: "mcp:read mcp:execute",
    });
    expect(wider).toMatchObject({ status: 400, body: { error: "invalid_scope" } });
  });
});

describe("an authorization request", () => {
  it.for([
    "http://127.0.0.1:33418/other",
    "http://127.0.0.1:33418/callback/",
    "http://127.0.0.1:33418/callback?x=1",
    "http://localhost:33418/callback",
    "http://user@127.0.0.1:33418/callback",
    "http://127.0.0.1.evil.example:33418/callback",
    "https://evil.example/callback",
  ])("leads to no address that is not registered: %s", async (redirect) => {
    const { clientId } = await registerClient(test);
    const { challenge } = makePkce();
    const { status, response } = await problemPage(
      authorizeUrl(test, { clientId, challenge, redirect_uri: redirect }),
    );
    expect(status).toBe(400);
    expect(response.headers.get("location")).toBeNull();
  });

  it("accepts any port of a registered loopback URI", async () => {
    const { clientId } = await registerClient(test);
    const url = authorizeUrl(test, {
      clientId,
      challenge: makePkce().challenge,
      redirect_uri: "http://127.0.0.1:50123/callback",
    });
    const back = await allow(createBrowser(test), url, test.person);
    expect(back.host).toBe("127.0.0.1:50123");
  });

  it.for([
    ["no challenge", { code_challenge: undefined, code_challenge_method: undefined }],
    ["a plain challenge", { code_challenge_method: "plain" }],
    ["another resource", { resource: "https://other.example/api/mcp" }],
    ["a response type of old", { response_type: "token" }],
    ["no user interaction", { prompt: "none" }],
  ] as const)("is refused with %s", async ([, changes]) => {
    const { clientId } = await registerClient(test);
    const { challenge } = makePkce();
    const { response } = await problemPage(authorizeUrl(test, { clientId, challenge, ...changes }));
    const location = response.headers.get("location") ?? "";
    expect(location.startsWith(redirectUri)).toBe(true);
    expect(location).toContain("error=");
    expect(location).not.toContain("code=");
  });

  it.for([undefined, "openid profile", "offline_access"])(
    "requests all scopes if none of them exists: %s",
    async (scope) => {
      const { clientId } = await registerClient(test);
      const { challenge } = makePkce();
      const url = authorizeUrl(test, { clientId, challenge, scope });
      const page = await reachConsent(createBrowser(test), url, test.person);
      expect(page.text).toContain("Run tools with your credentials");
      const back = await allow(createBrowser(test), url, test.person);
      expect(back.searchParams.get("code")).toBeTruthy();
    },
  );

  it("requires one resource and a client", async () => {
    const { clientId } = await registerClient(test);
    const url = authorizeUrl(test, { clientId, challenge: makePkce().challenge });
    const twice = await problemPage(`${url}&resource=https://other.example`);
    expect(twice.response.headers.get("location")).toContain("error=");
    const unknown = await problemPage(
      authorizeUrl(test, { clientId: "unknown", challenge: makePkce().challenge }),
    );
    expect(unknown.status).toBe(400);
    expect(unknown.text).not.toContain("<script");
  });

  it("shows errors to people on a page without links, and to programs as plain text", async () => {
    const { clientId } = await registerClient(test, { client_name: "<b>An Editor</b>" });
    const { challenge } = makePkce();
    const hostile = { clientId, challenge, redirect_uri: "https://evil.example/<script>" };
    const ask = async (url: string, accept: string) => {
      const answer = await fetch(url, { headers: { accept }, redirect: "manual" });
      expect([answer.status, answer.headers.get("location")]).toEqual([400, null]);
      return { answer, text: await answer.text() };
    };
    const browser = "text/html,application/xhtml+xml,*/*;q=0.8";
    const page = await ask(authorizeUrl(test, hostile), browser);
    expect(page.answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(page.answer.headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; style-src 'sha256-.*frame-ancestors 'none'/,
    );
    expect(page.text).toContain("a redirect to a URL that it");
    expect(page.text).toContain("&lt;b&gt;An Editor&lt;/b&gt;");
    expect(page.text).toContain("https://evil.example/&lt;script&gt;");
    expect(page.text).not.toMatch(/<script|<b>|href=/);
    const told = { clientId: "Call 555 now", challenge };
    const stranger = await ask(authorizeUrl(test, told), browser);
    expect(stranger.text).toContain("Remove the connection in the app, then connect again.");
    expect(stranger.text).not.toContain("Call 555 now");
    const over = await ask(`${test.baseUrl}/oauth/authorize/gone`, browser);
    expect(over.text).toContain("has expired");
    for (const accept of ["*/*", "application/json"]) {
      const { answer, text } = await ask(authorizeUrl(test, hostile), accept);
      expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8");
      expect(text).toMatch(/^This app could not be connected: redirect_uri/);
    }
  });
});

describe("an authorization code", () => {
  const start = async () => {
    const { clientId } = await registerClient(test);
    const { verifier, challenge } = makePkce();
    const back = await allow(
      createBrowser(test),
      authorizeUrl(test, { clientId, challenge }),
      test.person,
    );
    const form = {
      grant_type: "authorization_code",
      client_id: clientId,
      code: back.searchParams.get("code") ?? "",
      code_verifier: verifier,
      redirect_uri: redirectUri,
    };
    return { clientId, form };
  };

  it("works once, and a second use revokes its tokens", async () => {
    const { form } = await start();
    const first = await askToken(test, form);
    expect(first.status).toBe(200);
    expect(first.headers.get("cache-control")).toContain("no-store");
    await expect(whoIs(first.body.access_token)).resolves.toBeDefined();
    const second = await askToken(test, form);
    expect(second).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    await expect(whoIs(first.body.access_token)).rejects.toMatchObject({ code: "unauthenticated" });
  });

  it.for([
    ["a wrong verifier", { code_verifier: makePkce().verifier }],
    ["no verifier", { code_verifier: "" }],
    ["another redirect address", { redirect_uri: "http://127.0.0.1:1/other" }],
    ["another resource", { resource: "https://other.example" }],
    ["a code that was never issued", { code: "x".repeat(43) }],
  ] as const)("is refused with %s", async ([, changes]) => {
    const { form } = await start();
    const answer = await askToken(test, { ...form, ...changes });
    expect(answer.status).toBe(400);
    expect(answer.body).not.toHaveProperty("access_token");
  });

  it("is rejected for another client", async () => {
    const { form } = await start();
    const { clientId } = await registerClient(test);
    const answer = await askToken(test, { ...form, client_id: clientId });
    expect(answer).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
  });
});

describe("a token", () => {
  it("works only at the MCP endpoint, and is stored only as a hash", async () => {
    const { tokens, code } = await connectClient(test, test.person);
    expect(tokens).toMatchObject({ expires_in: 900, token_type: "Bearer" });
    const caller = await whoIs(tokens.access_token);
    expect(caller).toMatchObject({ workspaceId: test.workspaceId, via: "mcp" });
    const rest = await test.call("GET", "/tools", undefined, {
      authorization: `Bearer ${tokens.access_token}`,
    });
    expect(rest.status).toBe(401);
    const { kysely } = test.service.context.db;
    const rows = [
      await kysely.selectFrom("oauth_records").selectAll().execute(),
      await kysely.selectFrom("oauth_grants").selectAll().execute(),
      await kysely.selectFrom("audit_events").selectAll().execute(),
    ];
    for (const secret of [tokens.access_token, tokens.refresh_token, code]) {
      expect(JSON.stringify(rows)).not.toContain(secret);
    }
  });

  it("rejects tokens for another audience", async () => {
    const { tokens } = await connectClient(test, test.person);
    const { kysely } = test.service.context.db;
    const { actor } = await whoIs(tokens.access_token);
    const row = await kysely
      .selectFrom("oauth_records")
      .selectAll()
      .where("model", "=", "AccessToken")
      .where("grant_id", "=", actor.grantId ?? "")
      .executeTakeFirstOrThrow();
    const payload = JSON.stringify({ ...JSON.parse(row.payload), aud: "https://other.example" });
    await kysely.updateTable("oauth_records").set({ payload }).where("id", "=", row.id).execute();
    await expect(whoIs(tokens.access_token)).rejects.toMatchObject({ code: "unauthenticated" });
  });

  it("expires after 15 minutes, and refreshes until unused for 30 days", async () => {
    const { context } = test.service;
    const { now } = context.clock;
    const { tokens, clientId } = await connectClient(test, test.person);
    try {
      const later = (ms: number) => {
        context.clock.now = () => now() + ms;
      };
      later(15 * 60_000 + 1_000);
      await expect(whoIs(tokens.access_token)).rejects.toMatchObject({ code: "unauthenticated" });
      later(29 * 86_400_000);
      const renewed = await refresh(test, clientId, tokens.refresh_token);
      expect(renewed.status).toBe(200);
      later(58 * 86_400_000);
      const again = await refresh(test, clientId, renewed.body.refresh_token);
      expect(again.status).toBe(200);
      later(89 * 86_400_000);
      const late = await refresh(test, clientId, again.body.refresh_token);
      expect(late).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    } finally {
      context.clock.now = now;
    }
  });

  it("accepts four concurrent refreshes, and ends only the grant on later reuse", async () => {
    const { context } = test.service;
    const { now } = context.clock;
    const { tokens, clientId } = await connectClient(test, test.person);
    const other = await connectClient(test, test.person);
    const four = await Promise.all(
      [1, 2, 3, 4].map(() => refresh(test, clientId, tokens.refresh_token)),
    );
    for (const { status, body } of four) {
      expect(status).toBe(200);
      await expect(whoIs(body.access_token)).resolves.toBeDefined();
    }
    try {
      context.clock.now = () => now() + 31_000;
      const reused = await refresh(test, clientId, tokens.refresh_token);
      expect(reused).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    } finally {
      context.clock.now = now;
    }
    const [first] = four;
    await expect(whoIs(first?.body.access_token ?? "")).rejects.toMatchObject({
      code: "unauthenticated",
    });
    expect((await refresh(test, clientId, first?.body.refresh_token ?? "")).status).toBe(400);
    await expect(whoIs(other.tokens.access_token)).resolves.toBeDefined();
  });

  it("outlives the browser session, and is rejected for another client", async () => {
    const { tokens, clientId, browser } = await connectClient(test, test.person);
    await browser.post("/api/auth/sign-out", {}, { "content-type": "application/json" });
    const renewed = await refresh(test, clientId, tokens.refresh_token);
    expect(renewed.status).toBe(200);
    const other = await registerClient(test);
    const stolen = await refresh(test, other.clientId, renewed.body.refresh_token);
    expect(stolen).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    const form = new URLSearchParams({
      client_id: other.clientId,
      token: renewed.body.refresh_token,
    });
    await fetch(`${test.baseUrl}/oauth/revoke`, { method: "POST", body: form });
    await expect(whoIs(renewed.body.access_token)).resolves.toBeDefined();
  });

  it("ends the grant when the client revokes a token", async () => {
    const { tokens, clientId } = await connectClient(test, test.person);
    const form = new URLSearchParams({ client_id: clientId, token: tokens.refresh_token });
    const response = await fetch(`${test.baseUrl}/oauth/revoke`, { method: "POST", body: form });
    expect(response.status).toBe(200);
    await expect(whoIs(tokens.access_token)).rejects.toMatchObject({ code: "unauthenticated" });
    const events = await test.call("GET", "/audit-events?action=connected_app.revoke");
    expect(events.body[0]).toMatchObject({ via: "system", details: { reason: "client" } });
  });

  it("ends with the person's membership, as do refresh tokens", async () => {
    const { context } = test.service;
    const { tokens, clientId } = await connectClient(test, test.person);
    const { userId } = await whoIs(tokens.access_token);
    const member = await context.db.kysely
      .selectFrom("members")
      .selectAll()
      .where("user_id", "=", userId)
      .executeTakeFirstOrThrow();
    await context.db.kysely.deleteFrom("members").where("id", "=", member.id).execute();
    try {
      await expect(whoIs(tokens.access_token)).rejects.toMatchObject({ code: "unauthenticated" });
      const answer = await refresh(test, clientId, tokens.refresh_token);
      expect(answer).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    } finally {
      await context.db.kysely.insertInto("members").values(member).execute();
    }
  });
});

describe("deleting a workspace", () => {
  it("deletes the tokens of its apps", async () => {
    const { body: made } = await test.callAsOwner("POST", "/workspaces", { name: "Brief" });
    const { clientId } = await registerClient(test);
    const { verifier, challenge } = makePkce();
    const back = await allow(
      createBrowser(test),
      authorizeUrl(test, { clientId, challenge }),
      test.person,
      { workspace: made.id },
    );
    const { body } = await askToken(test, {
      grant_type: "authorization_code",
      client_id: clientId,
      code: back.searchParams.get("code") ?? "",
      code_verifier: verifier,
      redirect_uri: redirectUri,
    });
    expect((await whoIs(body.access_token)).workspaceId).toBe(made.id);
    const deleted = await test.callAsOwner("DELETE", `/workspaces/${made.id}`, { name: "Brief" });
    expect(deleted.status).toBeLessThan(300);
    await expect(whoIs(body.access_token)).rejects.toMatchObject({ code: "unauthenticated" });
    expect((await refresh(test, clientId, body.refresh_token)).status).toBe(400);
  });
});

describe("the retention sweep", () => {
  it("deletes only expired records", async () => {
    const { context } = test.service;
    const { tokens } = await connectClient(test, test.person);
    const row = { payload: "{}", grant_id: null, created_at: 1, consumed_at: null };
    const expired = { ...row, model: "AccessToken", id: "long gone", expires_at: 2 };
    await context.db.kysely.insertInto("oauth_records").values(expired).execute();
    await sweep(context, new AbortController().signal);
    const left = await context.db.kysely
      .selectFrom("oauth_records")
      .select("id")
      .where("id", "=", "long gone")
      .execute();
    expect(left).toEqual([]);
    await expect(whoIs(tokens.access_token)).resolves.toBeDefined();
  });
});

describe("limits", () => {
  it("limits registrations and token requests per address", async () => {
    const limited = await startTestService({
      RATE_LIMIT_REGISTRATIONS_PER_MINUTE: "2",
      RATE_LIMIT_TOKEN_REQUESTS_PER_MINUTE: "3",
    });
    try {
      const registered = [];
      for (let count = 0; count < 3; count++) registered.push(await registerClient(limited));
      expect(registered.map(({ status }) => status)).toEqual([201, 201, 429]);
      const asked = [];
      const form = { grant_type: "refresh_token", refresh_token: "x", client_id: "x" };
      for (let count = 0; count < 4; count++) asked.push(await askToken(limited, form));
      expect(asked.at(-1)?.status).toBe(429);
      expect(asked.at(-1)?.headers.get("retry-after")).toMatch(/^\d+$/);
      expect(asked[2]?.status).not.toBe(429);
    } finally {
      await limited.stop();
    }
  });
});

describe("connected apps", () => {
  it("lists apps, and rejects the tokens of a disconnected app immediately", async () => {
    const { tokens, clientId } = await connectClient(test, test.person);
    const { body: apps } = await test.callAsOwner("GET", "/connected-apps");
    expect(apps[0]).toMatchObject({
      clientName: "Test client",
      clientUri: null,
      workspaceId: test.workspaceId,
      scopes: ["mcp:read", "mcp:execute"],
      lastUsedAt: null,
    });
    const removed = await test.callAsOwner("DELETE", `/connected-apps/${apps[0].id}`);
    expect(removed.status).toBe(204);
    await expect(whoIs(tokens.access_token)).rejects.toMatchObject({ code: "unauthenticated" });
    expect((await refresh(test, clientId, tokens.refresh_token)).status).toBe(400);
    const again = await test.callAsOwner("DELETE", `/connected-apps/${apps[0].id}`);
    expect(again.status).toBe(404);
    const key = await test.call("GET", "/connected-apps");
    expect(key.status).toBe(403);
    const events = await test.call("GET", `/audit-events?target=${apps[0].id}`);
    expect(events.body.map((event: { action: string }) => event.action)).toEqual([
      "connected_app.revoke",
      "connected_app.connect",
    ]);
  });
});

describe("a client that is authorized twice", () => {
  const authorize = async (clientId: string, scope: string[], person = test.person) => {
    const { verifier, challenge } = makePkce();
    const url = authorizeUrl(test, { clientId, challenge });
    const back = await allow(createBrowser(test), url, person, { scope });
    return {
      grant_type: "authorization_code",
      client_id: clientId,
      code: back.searchParams.get("code") ?? "",
      code_verifier: verifier,
      redirect_uri: redirectUri,
    };
  };
  const connect = async (clientId: string, scope: string[]) => {
    const { status, body } = await askToken(test, await authorize(clientId, scope));
    if (status !== 200) throw new Error(JSON.stringify(body));
    return body;
  };
  const appsOf = async (clientId: string) => {
    const { body } = await test.callAsOwner("GET", "/connected-apps?limit=200");
    return (body as { id: string; clientId: string; scopes: string[] }[]).filter(
      (app) => app.clientId === clientId,
    );
  };
  const both = ["mcp:read", "mcp:execute"];
  const ended = { code: "unauthenticated" };

  it("has one grant, which ends with all its tokens", async () => {
    const { clientId } = await registerClient(test);
    const first = await connect(clientId, both);
    const second = await connect(clientId, both);
    const apps = await appsOf(clientId);
    expect(apps).toHaveLength(1);
    await expect(whoIs(first.access_token)).resolves.toBeDefined();
    expect((await test.callAsOwner("DELETE", `/connected-apps/${apps[0]?.id}`)).status).toBe(204);
    for (const tokens of [first, second]) {
      await expect(whoIs(tokens.access_token)).rejects.toMatchObject(ended);
      expect((await refresh(test, clientId, tokens.refresh_token)).status).toBe(400);
    }
    expect(await appsOf(clientId)).toEqual([]);
  });

  it("loses the tokens and codes of a broader consent when the new one is narrower", async () => {
    const { clientId } = await registerClient(test);
    const broad = await connect(clientId, both);
    const unused = await authorize(clientId, both);
    const [before] = await appsOf(clientId);
    const narrow = await connect(clientId, ["mcp:read"]);
    await expect(whoIs(broad.access_token)).rejects.toMatchObject(ended);
    expect((await refresh(test, clientId, broad.refresh_token)).status).toBe(400);
    expect((await askToken(test, unused)).status).toBe(400);
    expect([...(await whoIs(narrow.access_token)).scopes]).toEqual(["mcp:read"]);
    expect(await appsOf(clientId)).toMatchObject([{ scopes: ["mcp:read"] }]);
    const { body } = await test.call("GET", `/audit-events?target=${before?.id}`);
    expect(body).toContainEqual(
      expect.objectContaining({
        action: "connected_app.revoke",
        details: { client: "Test client", resource: "mcp", reason: "replaced" },
      }),
    );
    const broadAgain = await connect(clientId, both);
    expect((await whoIs(broadAgain.access_token)).scopes.size).toBe(2);
    // A token never allows more than its own consent did.
    expect([...(await whoIs(narrow.access_token)).scopes]).toEqual(["mcp:read"]);
    expect(await appsOf(clientId)).toMatchObject([{ scopes: both }]);
  });

  it("has one grant also after concurrent consents", async () => {
    const { clientId } = await registerClient(test);
    const choices = [both, ["mcp:read"], both, ["mcp:read"], both, ["mcp:execute"]];
    const codes = await Promise.all(choices.map((scope) => authorize(clientId, scope)));
    const apps = await appsOf(clientId);
    expect(apps).toHaveLength(1);
    const answers = await Promise.all(codes.map((code) => askToken(test, code)));
    const tokens = answers.flatMap(({ status, body }) => (status === 200 ? [body] : []));
    for (const { access_token: token } of tokens) {
      const caller = await whoIs(token).catch(() => undefined);
      const scopes: readonly string[] = [...(caller?.scopes ?? [])];
      expect(apps[0]?.scopes).toEqual(expect.arrayContaining([...scopes]));
    }
    await test.callAsOwner("DELETE", `/connected-apps/${apps[0]?.id}`);
    for (const body of tokens) {
      await expect(whoIs(body.access_token)).rejects.toMatchObject(ended);
      expect((await refresh(test, clientId, body.refresh_token)).status).toBe(400);
    }
  });

  it("allows no more than its grant, regardless of the token's scopes", async () => {
    const { clientId } = await registerClient(test);
    const tokens = await connect(clientId, both);
    await test.service.context.db.kysely
      .updateTable("oauth_grants")
      .set({ scopes: "mcp:read" })
      .where("client_id", "=", clientId)
      .execute();
    expect([...(await whoIs(tokens.access_token)).scopes]).toEqual(["mcp:read"]);
  });
});

describe("all connected apps of a workspace", () => {
  it("lets admins list and end them in their own workspace only", async () => {
    const person = await test.addSignedIn(test.workspaceId, "member");
    const admin = await test.addSignedIn(test.workspaceId, "admin");
    const elsewhere = await test.addSignedIn(await test.addWorkspace(), "owner");
    const { tokens, clientId } = await connectClient(test, person);
    const own = await person.call("GET", "/connected-apps");
    expect(own.body).toMatchObject([{ clientId, clientName: "Test client" }]);
    expect(own.body[0]).not.toHaveProperty("user");
    const id = String(own.body[0].id);
    expect((await admin.call("GET", "/connected-apps")).body).toEqual([]);
    const all = await admin.call("GET", "/connected-apps?owner=anyone&limit=200");
    expect(all.body).toContainEqual(
      expect.objectContaining({
        id,
        user: { id: person.userId, name: expect.any(String), email: person.email },
      }),
    );
    expect((await person.call("GET", "/connected-apps?owner=anyone")).status).toBe(403);
    const theirs = await elsewhere.call("GET", "/connected-apps?owner=anyone");
    expect(theirs).toMatchObject({ status: 200, body: [] });
    const member = await test.addSignedIn(test.workspaceId, "builder");
    for (const other of [elsewhere, member]) {
      expect((await other.call("DELETE", `/connected-apps/${id}`)).status).toBe(404);
    }
    await expect(whoIs(tokens.access_token)).resolves.toBeDefined();
    expect((await admin.call("DELETE", `/connected-apps/${id}`)).status).toBe(204);
    await expect(whoIs(tokens.access_token)).rejects.toMatchObject({ code: "unauthenticated" });
    expect((await refresh(test, clientId, tokens.refresh_token)).status).toBe(400);
    const { body } = await test.call("GET", `/audit-events?target=${id}&limit=1`);
    expect(body[0]).toMatchObject({
      action: "connected_app.revoke",
      actor: { userId: admin.userId },
      details: { userId: person.userId },
    });
  });

  it("ends when the person is removed from the workspace", async () => {
    const person = await test.addSignedIn(test.workspaceId, "member");
    const { tokens, clientId } = await connectClient(test, person);
    const path = `/workspaces/${test.workspaceId}/members/${person.userId}`;
    expect((await test.callAsOwner("DELETE", path)).status).toBeLessThan(300);
    await expect(whoIs(tokens.access_token)).rejects.toMatchObject({ code: "unauthenticated" });
    expect((await refresh(test, clientId, tokens.refresh_token)).status).toBe(400);
    const { body } = await test.callAsOwner("GET", "/connected-apps?owner=anyone&limit=200");
    expect(JSON.stringify(body)).not.toContain(clientId);
  });
});

describe("the sign-in page", () => {
  it("redirects only to this server, and rejects forms of another site", async () => {
    const browser = createBrowser(test);
    for (const next of [
      "https://evil.example/",
      "//evil.example",
      "/\\evil.example",
      "javascript:x",
    ]) {
      const answer = await browser.post("/sign-in", { ...test.person, next });
      expect(answer.status).toBe(303);
      const location = new URL(answer.headers.get("location") ?? "", test.baseUrl);
      expect(location.origin).toBe(test.baseUrl);
    }
    const foreign = await browser.post("/sign-in", test.person, { origin: "https://evil.example" });
    expect(foreign.status).toBe(403);
    const wrong = await browser.post("/sign-in", { email: "<x>@y.example", password: "wrong one" });
    expect(wrong.status).toBe(401);
    const text = await wrong.text();
    expect(text).toContain("is incorrect");
    expect(text).not.toContain("<x>");
    expect(text).not.toContain("wrong one");
  });
});
