import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Caller } from "#core/kernel";
import {
  authorizeConnection,
  clientDocument,
  completeConnection,
  createCredential,
  declareBearer,
  reportRefusal,
  useCredential,
} from "#core/vault";
import type { UsableCredential } from "#core/vault";
import { allow, createBrowser } from "#testing/oauth-client";
import { startProtectedServer } from "#testing/protected-server";
import type { ProtectedServer } from "#testing/protected-server";
import { draftOf, startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

let server: ProtectedServer;
let test: TestService;
let ownerId: string;
let published: { challenge: string | undefined; resourceMetadata: Record<string, unknown> };

beforeAll(async () => {
  server = await startProtectedServer();
  published = { challenge: server.challenge, resourceMetadata: server.resourceMetadata };
  test = await startTestService({ EGRESS_PRIVATE_HOSTS: server.hosts });
  ownerId = (await test.callAsOwner("GET", "/me")).body.user.id;
});
afterAll(async () => {
  await test.stop();
  server.close();
});
beforeEach(async () => {
  await test.call("DELETE", "/credentials/NOTES?owner=user");
  await test.call("DELETE", "/credentials/NOTES?owner=workspace");
  Object.assign(server, { ...published, issuerMetadata: {}, neededScope: undefined });
  server.overrides.clear();
  for (const list of [server.asked, server.tokenRequests, server.registrations, server.seen]) {
    list.splice(0);
  }
  test.service.context.vault.refusals.clear();
});

const create = (oauth2: object = {}, more: object = {}) =>
  test.call("POST", "/credentials", {
    name: "NOTES",
    oauth2: { resource: server.url, ...oauth2 },
    ...more,
  });

/** Follows redirects, and the links of our own pages, through the provider and back. */
const connect = async (connectUrl: string, change = (url: URL) => url, service = test) => {
  const own = new Map(service.cookie.split("; ").map((pair) => [pair.split("=")[0], pair]));
  const jars = new Map([[service.baseUrl, own]]);
  const visited: URL[] = [];
  let url = new URL(connectUrl);
  for (let hops = 0; hops < 20; hops++) {
    visited.push(url);
    const jar = jars.get(url.origin) ?? new Map<string | undefined, string>();
    jars.set(url.origin, jar);
    const headers = { accept: "text/html", cookie: [...jar.values()].join("; ") };
    const response = await fetch(url, { redirect: "manual", headers });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ""] = line.split(";");
      jar.set(pair.split("=")[0], pair);
    }
    const text = await response.text();
    const [, link] = /href="([^"]*oauth2\/connect\/[^"]*)"/.exec(text) ?? [];
    const location = response.headers.get("location") ?? link;
    if (location === undefined) return { status: response.status, text, visited };
    url = change(new URL(location, url));
  }
  throw new Error("The browser goes round in circles");
};
const connected = async () => {
  const { body } = await create();
  const done = await connect(body.connectUrl);
  if (done.status !== 200) throw new Error(done.text);
  return done;
};

const listed = async () => (await test.call("GET", "/credentials")).body[0];
const stored = () =>
  test.service.context.db.kysely.selectFrom("credentials").selectAll().executeTakeFirstOrThrow();
const change = (columns: object) =>
  test.service.context.db.kysely.updateTable("credentials").set(columns).execute();
/** Long ago, so that the metadata are read again. */
const age = () => change({ created_at: 1 });

const callerOf = (userId: string, role: Caller["role"] = "owner"): Caller => ({
  userId,
  workspaceId: test.workspaceId,
  role,
  scopes: new Set(["credentials:write"]),
  actor: { userId },
  via: "rest",
  requestId: "test",
  ip: null,
});
const use = (caller = callerOf(ownerId), url = server.url) =>
  useCredential(test.service.context, caller, { name: "NOTES", url });
const readyUse = async () => {
  const used = await use();
  if (used.status !== "ready") throw new Error(`It is ${used.status}`);
  return used;
};
const ask = async ({ headerValue }: Extract<UsableCredential, { status: "ready" }>) => {
  const headers = { authorization: headerValue };
  const { status, headers: answered } = await fetch(server.url, { method: "POST", headers });
  return { status, challenge: answered.get("www-authenticate") ?? undefined, url: server.url };
};

/** From now on, the server refuses the tokens that it has seen. */
const refuseTokens = () => server.seen.forEach((token) => server.refused.add(token));

describe("connecting an MCP server by its URL", () => {
  it("registers a client, signs the user in, and gets a token for the server only", async () => {
    const { status, body } = await create();
    expect([status, body.status, body.resource]).toEqual([201, "awaiting_consent", server.url]);
    expect(body.hosts).toEqual([new URL(server.url).origin]);
    expect(server.registrations).toEqual([
      expect.objectContaining({
        redirect_uris: [`${test.baseUrl}/oauth2/callback`],
        grant_types: ["authorization_code", "refresh_token"],
        token_endpoint_auth_method: "none",
        application_type: "native",
      }),
    ]);
    const done = await connect(body.connectUrl);
    expect([done.status, done.text]).toEqual([200, expect.stringContaining("NOTES is connected")]);
    const asked = done.visited.find(({ pathname }) => pathname === "/auth")?.searchParams;
    expect(Object.fromEntries(asked ?? [])).toMatchObject({
      resource: server.url,
      code_challenge_method: "S256",
      scope: "tools:read tools:write offline_access",
      prompt: "consent",
    });
    expect(server.tokenRequests.map((form) => form.get("resource"))).toEqual([server.url]);
    expect(await listed()).toMatchObject({ status: "ready" });
    expect((await ask(await readyUse())).status).toBe(200);
  });

  it("shows who issues the token and who gets it, if these are different hosts", async () => {
    const { body } = await create();
    const response = await fetch(body.connectUrl, { headers: { cookie: test.cookie } });
    const text = await response.text();
    expect(text).toContain(new URL(server.issuer).host);
    expect(text).toContain(new URL(server.url).host);
  });

  it("requests the scopes of the challenge, or those that the caller names", async () => {
    server.challenge = `${published.challenge}, scope="tools:read"`;
    expect((await create()).body.scopes).toEqual(["tools:read", "offline_access"]);
    await test.call("DELETE", "/credentials/NOTES");
    expect((await create({ scopes: ["tools:write"] })).body.scopes).toEqual(["tools:write"]);
  });

  it.each(["/elsewhere/metadata", "/.well-known/oauth-protected-resource"])(
    "reads the metadata of the resource at %s",
    async (path) => {
      const origin = new URL(server.url).origin;
      server.challenge = path.startsWith("/else")
        ? `realm="a \\"b\\", c", resource_metadata="${origin}${path}"`
        : undefined;
      server.overrides.set(`resource ${path}`, {
        body: { resource: `${origin}/`, authorization_servers: [server.issuer] },
      });
      server.overrides.set("resource /.well-known/oauth-protected-resource/mcp", {
        status: 404,
        body: "",
      });
      const { status, body } = await create();
      expect([status, body.resource]).toEqual([201, `${origin}/`]);
    },
  );

  it("uses the server's own origin as the issuer if it publishes no resource metadata", async () => {
    server.challenge = undefined;
    const { origin } = new URL(server.url);
    server.overrides.set("resource /.well-known/oauth-protected-resource/mcp", {
      status: 404,
      body: "",
    });
    const metadata = await fetch(`${server.issuer}/.well-known/openid-configuration`);
    const body = { ...((await metadata.json()) as object), issuer: origin };
    server.overrides.set("resource /.well-known/oauth-authorization-server", { body });
    expect(await create()).toMatchObject({ status: 201, body: { resource: server.url } });
  });

  it.each([
    "/.well-known/oauth-authorization-server/tenant",
    "/.well-known/openid-configuration/tenant",
    "/tenant/.well-known/openid-configuration",
  ])("reads the metadata of an issuer with a path at %s", async (path) => {
    const issuer = `${server.issuer}/tenant`;
    const metadata = await fetch(`${server.issuer}/.well-known/openid-configuration`);
    const body = { ...((await metadata.json()) as object), issuer };
    for (const other of [
      "/.well-known/oauth-authorization-server/tenant",
      "/.well-known/openid-configuration/tenant",
      "/tenant/.well-known/openid-configuration",
    ]) {
      server.overrides.set(`issuer ${other}`, { status: 404, body: "" });
    }
    server.overrides.set(`issuer ${path}`, { body });
    server.resourceMetadata = { ...server.resourceMetadata, authorization_servers: [issuer] };
    expect((await create()).status).toBe(201);
  });

  it("requires a client ID where clients cannot register, and accepts one", async () => {
    const registered = await fetch(`${server.issuer}/reg`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        redirect_uris: [`${test.baseUrl}/oauth2/callback`],
        grant_types: ["authorization_code", "refresh_token"],
        token_endpoint_auth_method: "none",
        application_type: "native",
      }),
    });
    const { client_id: clientId } = (await registered.json()) as { client_id: string };
    server.issuerMetadata = { registration_endpoint: undefined };
    const refused = await create();
    expect([refused.status, refused.body.errors[0].path]).toEqual([400, "/oauth2/clientId"]);
    expect(refused.text).toContain(`${test.baseUrl}/oauth2/callback`);
    const { body } = await create({ clientId });
    const done = await connect(body.connectUrl);
    expect(done.status).toBe(200);
    expect((await ask(await readyUse())).status).toBe(200);
  });

  it("requires a client ID if the provider refuses to register the client", async () => {
    server.overrides.set("issuer /reg", { status: 403, body: { error: "access_denied" } });
    const refused = await create();
    expect([refused.status, refused.body.errors[0].path]).toEqual([400, "/oauth2/clientId"]);
    expect(refused.text).toContain("access_denied");
  });

  it("registers nothing for a name that is taken", async () => {
    await create();
    server.registrations.splice(0);
    expect((await create()).status).toBe(409);
    expect(server.registrations).toEqual([]);
  });

  it("stores the secret of a registered client encrypted, and authenticates with it", async () => {
    const secretive = await startProtectedServer({ secrets: true });
    const other = await startTestService({ EGRESS_PRIVATE_HOSTS: secretive.hosts });
    try {
      const { body } = await other.call("POST", "/credentials", {
        name: "NOTES",
        oauth2: { resource: secretive.url },
      });
      const { db } = other.service.context;
      const row = await db.kysely.selectFrom("credentials").selectAll().executeTakeFirstOrThrow();
      expect(JSON.parse(row.connection ?? "")).toMatchObject({ authMethod: "client_secret_basic" });
      expect(row.connection).not.toContain("Secret");
      const done = await connect(body.connectUrl, (url) => url, other);
      expect([done.status, done.text]).toEqual([200, expect.stringContaining("is connected")]);
    } finally {
      await other.stop();
      secretive.close();
    }
  });
});

describe("renewal", () => {
  it("sends the resource with the refresh token, and stores the rotated one", async () => {
    await connected();
    const first = await readyUse();
    for (const _ of [1, 2]) {
      await change({ refresh_at: 1, expires_at: 1 });
      await readyUse();
    }
    const renewals = server.tokenRequests.filter(
      (form) => form.get("grant_type") === "refresh_token",
    );
    expect(renewals.map((form) => form.get("resource"))).toEqual([server.url, server.url]);
    expect(new Set(renewals.map((form) => form.get("refresh_token"))).size).toBe(2);
    const second = await readyUse();
    expect(second.headerValue).not.toBe(first.headerValue);
    expect((await ask(second)).status).toBe(200);
  });

  it("asks the provider once for concurrent uses", async () => {
    await connected();
    await change({ refresh_at: 1, expires_at: 1 });
    const used = await Promise.all(Array.from({ length: 10 }, () => readyUse()));
    expect(new Set(used.map(({ headerValue }) => headerValue)).size).toBe(1);
    expect(server.tokenRequests).toHaveLength(2);
  });

  it("registers again when the provider no longer knows the client", async () => {
    await connected();
    server.overrides.set("issuer /token", { status: 401, body: { error: "invalid_client" } });
    await change({ refresh_at: 1, expires_at: 1 });
    expect(await use()).toMatchObject({ status: "needs_reconnect" });
    server.overrides.clear();
    const { body } = await test.call("POST", "/credentials/NOTES/connect");
    expect((await connect(body.connectUrl)).status).toBe(200);
    expect(server.registrations).toHaveLength(2);
    expect((await ask(await readyUse())).status).toBe(200);
  });

  it("registers again when the secret of the client has expired", async () => {
    await connected();
    const { connection } = await stored();
    const expired = { ...JSON.parse(connection ?? ""), clientExpiresAt: 1 };
    await change({ connection: JSON.stringify(expired) });
    const { body } = await test.call("POST", "/credentials/NOTES/connect");
    expect((await connect(body.connectUrl)).status).toBe(200);
    expect(server.registrations).toHaveLength(2);
  });
});

describe("useCredential", () => {
  it("returns missing, awaiting_consent and needs_reconnect with the page to open", async () => {
    expect(await use()).toEqual({ status: "missing" });
    await create();
    const connectUrl = expect.stringContaining(`${test.baseUrl}/oauth2/connect?credential=`);
    expect(await use()).toEqual({ status: "awaiting_consent", connectUrl });
    await test.call("DELETE", "/credentials/NOTES");
    await connected();
    await server.endGrants();
    await change({ refresh_at: 1, expires_at: 1 });
    expect(await use()).toEqual({ status: "needs_reconnect", connectUrl });
  });

  it("uses the workspace's credential only for those who manage it", async () => {
    const { body } = await create({}, { owner: "workspace" });
    expect((await connect(body.connectUrl)).status).toBe(200);
    const member = await test.addPerson(test.workspaceId, "member");
    expect(await use(callerOf(member.userId, "member"))).toEqual({ status: "missing" });
    const admin = await test.addPerson(test.workspaceId, "admin");
    expect(await use(callerOf(admin.userId, "admin"))).toMatchObject({ status: "ready" });
  });

  it("returns no other user's credential, and none of another workspace", async () => {
    await connected();
    const admin = await test.addPerson(test.workspaceId, "admin");
    expect(await use(callerOf(admin.userId, "admin"))).toEqual({ status: "missing" });
    const workspaceId = await test.addWorkspace();
    expect(await use({ ...callerOf(ownerId), workspaceId })).toEqual({ status: "missing" });
  });

  it("sends nothing to another host, and nothing without the scope", async () => {
    await connected();
    const { host, origin } = new URL(server.url);
    for (const url of [
      "https://evil.example/mcp",
      `https://${host}/mcp`,
      `${server.issuer}/mcp`,
      `http://user@${host}/mcp`,
    ]) {
      await expect(use(callerOf(ownerId), url)).rejects.toMatchObject({ code: "invalid_request" });
    }
    expect(await use(callerOf(ownerId), `${origin}/other`)).toMatchObject({ status: "ready" });
    const reader = { ...callerOf(ownerId), scopes: new Set(["mcp:read"] as const) };
    await expect(use(reader)).rejects.toMatchObject({ code: "forbidden" });
  });

  it("sends a stored value with the prefix of the server", async () => {
    const hosts = [new URL(server.url).origin];
    await test.call("POST", "/credentials", { name: "NOTES", value: "a-key", hosts });
    expect(await use()).toMatchObject({ headerValue: "Bearer a-key" });
    const used = await useCredential(test.service.context, callerOf(ownerId), {
      name: "NOTES",
      url: server.url,
      prefix: "",
    });
    expect(used).toMatchObject({ headerValue: "a-key" });
  });
});

describe("reportRefusal", () => {
  const report = (used: Extract<UsableCredential, { status: "ready" }>, refusal: object = {}) =>
    reportRefusal(test.service.context, used.sent, {
      url: server.url,
      status: 401,
      challenge: 'Bearer error="invalid_token"',
      ...refusal,
    });

  it("renews a refused token, at most once a minute", async () => {
    await connected();
    const used = await readyUse();
    expect((await ask(used)).status).toBe(200);
    refuseTokens();
    const refused = await ask(used);
    expect(refused.status).toBe(401);
    await reportRefusal(test.service.context, used.sent, refused);
    const renewed = await readyUse();
    expect((await ask(renewed)).status).toBe(200);
    await report(used);
    await report(renewed);
    expect((await readyUse()).headerValue).toBe(renewed.headerValue);
  });

  it("believes only the server itself", async () => {
    await connected();
    const used = await readyUse();
    const { origin } = new URL(server.url);
    const challenge = 'Bearer error="insufficient_scope", scope="tools:admin"';
    for (const url of [`${origin}/other`, `${server.issuer}/mcp`]) {
      await report(used, { url });
      await report(used, { url, status: 403, challenge });
    }
    expect(await readyUse()).toEqual(used);
  });

  it("requests the scopes that the server demands at the next consent, once", async () => {
    await connected();
    server.neededScope = "tools:admin";
    const used = await readyUse();
    const refused = await ask(used);
    expect(refused.status).toBe(403);
    await reportRefusal(test.service.context, used.sent, refused);
    expect(await use()).toMatchObject({ status: "needs_reconnect" });
    expect(await listed()).toMatchObject({ problem: expect.stringContaining("more permissions") });
    const { body } = await test.call("POST", "/credentials/NOTES/connect");
    const done = await connect(body.connectUrl);
    const asked = done.visited.find(({ pathname }) => pathname === "/auth");
    expect(asked?.searchParams.get("scope")).toBe(
      "tools:admin tools:read tools:write offline_access",
    );
    const widened = await readyUse();
    expect((await ask(widened)).status).toBe(200);
    server.neededScope = "tools:read";
    await report(widened, { status: 403, challenge: refused.challenge });
    expect(await use()).toMatchObject({ status: "ready" });
  });

  it("handles the refusals of runs", async () => {
    await connected();
    const { origin } = new URL(server.url);
    const name = await test.makeTool(
      `export default async (_, ctx) => {
        const headers = { authorization: "Bearer " + ctx.credentials.NOTES };
        const ask = async () => (await fetch("${server.url}", { method: "POST", headers })).status;
        const first = await ask();
        await new Promise((done) => setTimeout(done, 1_000));
        return { first, second: await ask() };
      }`,
      { allowedHosts: [origin], credentials: [{ name: "NOTES", hosts: [origin] }] },
    );
    const run = () => test.call("POST", `/run/${name}`, {});
    expect((await run()).body.output).toEqual({ first: 200, second: 200 });
    refuseTokens();
    expect((await run()).body.output).toEqual({ first: 401, second: 200 });
    server.neededScope = "tools:admin";
    expect((await run()).body.output).toEqual({ first: 403, second: 403 });
    await expect
      .poll(async () => (await run()).body.missing)
      .toMatchObject([{ name: "NOTES", reason: "not_connected" }]);
  });
});

describe("a tool that declares the server of its credential", () => {
  const makeTool = async (more: object = {}) => {
    const { apiKey } = await test.addPerson(test.workspaceId, "builder");
    const { origin } = new URL(server.url);
    const { credentials, allowedHosts } = declareBearer("NOTES", server.url);
    expect([credentials[0]?.hosts, allowedHosts]).toEqual([[origin], [origin]]);
    const definition = {
      ...draftOf(
        `export default async (_, ctx) => {
          const headers = { authorization: "Bearer " + ctx.credentials.NOTES };
          return { status: (await fetch("${server.url}", { method: "POST", headers })).status };
        }`,
      ),
      allowedHosts,
      credentials: [{ ...credentials[0], ...more }],
      visibility: "workspace",
    };
    return test.call("POST", "/tools", definition, { authorization: `Bearer ${apiKey}` });
  };

  it("lets users who lack it sign in there, and approves the tool with it", async () => {
    const { body } = await makeTool();
    const run = () => test.call("POST", `/run/${body.name}`, {});
    const [{ connectUrl }] = (await run()).body.missing;
    const browser = createBrowser(test);
    const away = await browser.get(connectUrl);
    const next = new URL(away.headers.get("location") ?? "", test.baseUrl).searchParams.get("next");
    await browser.post("/sign-in", { ...test.person, next: next ?? "" });
    const text = await (await browser.get(connectUrl)).text();
    const { host } = new URL(server.url);
    expect(text).toContain(`Sign in at ${host} and approve version 1`);
    const [, form = ""] = /action="\/credentials\/sign-in"([^]*?)<\/form>/.exec(text) ?? [];
    const fields = Object.fromEntries(
      [...form.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name = "", value = ""]) => [
        name,
        value,
      ]),
    );
    const sent = await browser.post("/credentials/sign-in", { ...fields, owner: "user" });
    expect([sent.status, sent.headers.get("location")]).toEqual([
      303,
      expect.stringMatching(/^\/oauth2\/connect\/.*\?ask$/),
    ]);
    const done = await connect(new URL(sent.headers.get("location") ?? "", test.baseUrl).href);
    expect(done.text).toContain(`Version 1 of ${body.name} is approved`);
    expect((await run()).body.output).toEqual({ status: 200 });
    const again = await browser.post("/credentials/sign-in", { ...fields, owner: "user" });
    expect([again.status, await again.text()]).toEqual([
      422,
      expect.stringContaining("already have a credential named NOTES"),
    ]);
  });

  it("requires the server's host", async () => {
    const { status, text } = await makeTool({ resource: "https://evil.example/mcp" });
    expect([status, text]).toEqual([400, expect.stringContaining("must have its host in hosts")]);
  });
});

describe("a server that changes where people sign in", () => {
  it("takes a person to accept another provider", async () => {
    await connected();
    await change({ status: "needs_reconnect" });
    await age();
    server.resourceMetadata = {
      ...server.resourceMetadata,
      authorization_servers: ["https://evil.example"],
    };
    const { body } = await test.call("POST", "/credentials/NOTES/connect");
    const done = await connect(body.connectUrl);
    expect([done.status, done.visited.some(({ host }) => host === "evil.example")]).toEqual([
      422,
      false,
    ]);
    expect(done.text).toContain("evil.example");
    expect(done.text).toContain("delete NOTES");
  });

  it("follows the endpoints of the same provider", async () => {
    await connected();
    await change({ status: "needs_reconnect" });
    await age();
    server.issuerMetadata = { authorization_endpoint: `${server.issuer}/auth?moved=1` };
    const { body } = await test.call("POST", "/credentials/NOTES/connect");
    const done = await connect(body.connectUrl);
    expect(done.status).toBe(200);
    expect(done.visited.some(({ searchParams }) => searchParams.has("moved"))).toBe(true);
  });

  it("reconnects with what it knows while the metadata cannot be read", async () => {
    await connected();
    await change({ status: "needs_reconnect" });
    await age();
    server.challenge = undefined;
    server.overrides.set("issuer /.well-known/oauth-authorization-server", {
      body: "x".repeat(2 * 1024 * 1024),
    });
    server.overrides.set("issuer /.well-known/openid-configuration", { status: 503, body: "" });
    const { body } = await test.call("POST", "/credentials/NOTES/connect");
    expect((await connect(body.connectUrl)).status).toBe(200);
  });

  it("rejects a callback of another issuer", async () => {
    const { body } = await create();
    const done = await connect(body.connectUrl, (url) => {
      if (url.pathname === "/oauth2/callback") url.searchParams.set("iss", "https://evil.example");
      return url;
    });
    expect([done.status, done.text]).toEqual([422, expect.not.stringContaining("evil")]);
    expect(server.tokenRequests).toEqual([]);
  });
});

describe("hostile metadata", () => {
  const expectRefusal = async (said: string | RegExp) => {
    const { status, text, body } = await create();
    expect([400, 422]).toContain(status);
    expect(body.detail).toMatch(said);
    expect(text).not.toContain("evil-text");
    expect(server.registrations).toEqual([]);
    expect((await test.call("GET", "/credentials")).body).toEqual([]);
  };
  const atIssuer = (changes: Record<string, unknown>) => {
    server.issuerMetadata = changes;
  };

  it.each<[string, () => void, RegExp]>([
    ["another issuer", () => atIssuer({ issuer: "https://evil.example" }), /no valid metadata/],
    [
      "no PKCE",
      () => atIssuer({ code_challenge_methods_supported: undefined }),
      /does not promise PKCE/,
    ],
    ["plain PKCE", () => atIssuer({ code_challenge_methods_supported: ["plain"] }), /PKCE/],
    ["PKCE as a text", () => atIssuer({ code_challenge_methods_supported: "S256" }), /PKCE/],
    [
      "an authorization endpoint with a script",
      () => atIssuer({ authorization_endpoint: "javascript:alert('evil-text')" }),
      /no endpoints/,
    ],
    [
      "an authorization endpoint over plain HTTP",
      () => atIssuer({ authorization_endpoint: "http://public.example/evil-text" }),
      /must use https. public.example/,
    ],
    [
      "a token endpoint on a private address over plain HTTP",
      () => atIssuer({ token_endpoint: "http://169.254.169.254/latest/evil-text" }),
      /must use https/,
    ],
    [
      "a registration endpoint on a private address",
      () => atIssuer({ registration_endpoint: "https://169.254.169.254/evil-text" }),
      /169.254.169.254 are not allowed/,
    ],
    [
      "a registration endpoint over plain HTTP",
      () => atIssuer({ registration_endpoint: "http://10.0.0.1/evil-text" }),
      /must use https/,
    ],
    [
      "a token endpoint with a password",
      () => atIssuer({ token_endpoint: "https://a:b@c.example" }),
      /no endpoints/,
    ],
    [
      "an issuer on a private address",
      () => {
        server.resourceMetadata = {
          ...server.resourceMetadata,
          authorization_servers: ["https://192.168.0.1/evil-text"],
        };
      },
      /192.168.0.1 are not allowed/,
    ],
    [
      "an issuer with a script",
      () => {
        server.resourceMetadata = {
          ...server.resourceMetadata,
          authorization_servers: ["javascript:evil-text", 7, null],
        };
      },
      /doesn't publish how to sign in/,
    ],
    [
      "metadata of another resource",
      () => {
        server.resourceMetadata = {
          ...server.resourceMetadata,
          resource: "https://bank.example/evil-text",
        };
      },
      /doesn't publish how to sign in/,
    ],
    [
      "metadata of a neighbor with a longer name",
      () => {
        server.resourceMetadata = { ...server.resourceMetadata, resource: `${server.url}-evil` };
      },
      /doesn't publish how to sign in/,
    ],
    [
      "a challenge that names a private address",
      () => {
        server.challenge = 'resource_metadata="https://169.254.169.254/evil-text"';
      },
      /169.254.169.254 are not allowed/,
    ],
    [
      "a large document",
      () => {
        server.overrides.set("resource /.well-known/oauth-protected-resource/mcp", {
          body: "x".repeat(10 * 1024 * 1024),
        });
      },
      /sent more than/,
    ],
    [
      "a redirect",
      () => {
        for (const path of ["", "/mcp"]) {
          server.overrides.set(`resource /.well-known/oauth-protected-resource${path}`, {
            status: 302,
            headers: { location: `${server.issuer}/.well-known/openid-configuration` },
            body: "evil-text",
          });
        }
      },
      /doesn't publish how to sign in/,
    ],
    [
      "deeply nested JSON",
      () => {
        server.overrides.set("resource /.well-known/oauth-protected-resource/mcp", {
          body: "[".repeat(500_000),
        });
      },
      /doesn't publish how to sign in/,
    ],
  ])("refuses %s", async (_, prepare, said) => {
    prepare();
    await expectRefusal(said);
    expect(server.asked.filter((line) => line.includes("evil-text"))).toEqual([]);
  });

  it.each<[string, object]>([
    ["no client ID", {}],
    ["a client ID with a line break", { client_id: "a\r\nevil-text" }],
    [
      "a method that needs a key",
      { client_id: "a", token_endpoint_auth_method: "private_key_jwt" },
    ],
    ["a secret that is no text", { client_id: "a", client_secret: { evil: 1 } }],
  ])("refuses a registration with %s", async (_, body) => {
    server.overrides.set("issuer /reg", { status: 201, body });
    await expectRefusal(/registered a client that the service cannot use/);
  });

  it("says that a server without a sign-in needs none", async () => {
    server.challenge = undefined;
    server.overrides.set("resource /mcp", { body: { jsonrpc: "2.0", id: 1, result: {} } });
    server.overrides.set("resource /.well-known/oauth-protected-resource/mcp", {
      status: 404,
      body: "",
    });
    await expectRefusal(/needs no connection/);
  });

  it("accepts a long challenge", async () => {
    server.challenge = `${published.challenge}, ${"a=b, ".repeat(50_000)}`.slice(0, 15_000);
    expect((await create()).status).toBe(201);
  });
});

describe("another installation of the service as the server", () => {
  let upstream: TestService;
  let client: TestService;
  beforeAll(async () => {
    upstream = await startTestService();
    client = await startTestService({
      EGRESS_PRIVATE_HOSTS: new URL(upstream.baseUrl).host,
    });
  });
  afterAll(async () => {
    await client.stop();
    await upstream.stop();
  });

  const signIn = async (context: TestService["service"]["context"], connectUrl: string) => {
    const visit = {
      headers: new Headers({ cookie: client.cookie }),
      origin: { requestId: "test", ip: null },
    };
    const ticket = decodeURIComponent(new URL(connectUrl).pathname.split("/").at(-1) ?? "");
    const { location, browserSecret } = await authorizeConnection(context, visit, ticket);
    const back = await allow(createBrowser(upstream), location, upstream.person);
    const parameters = back.searchParams;
    return {
      back,
      done: await completeConnection(context, { ...visit, parameters, browserSecret }),
    };
  };
  const callUpstream = async () => {
    const { body } = await client.callAsOwner("GET", "/me");
    const caller = { ...callerOf(body.user.id), workspaceId: client.workspaceId };
    const url = `${upstream.baseUrl}/mcp`;
    const used = await useCredential(client.service.context, caller, { name: "UPSTREAM", url });
    if (used.status !== "ready") throw new Error(used.status);
    const response = await fetch(url, {
      method: "POST",
      headers: {
        authorization: used.headerValue,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "initialize",
        params: {
          protocolVersion: "2025-11-25",
          capabilities: {},
          clientInfo: { name: "test", version: "1" },
        },
      }),
    });
    await response.body?.cancel();
    return response.status;
  };

  it("connects with dynamic registration", async () => {
    const { status, body, text } = await client.call("POST", "/credentials", {
      name: "UPSTREAM",
      oauth2: { resource: `${upstream.baseUrl}/mcp` },
    });
    expect([status, text]).toEqual([201, expect.stringContaining("awaiting_consent")]);
    const { done } = await signIn(client.service.context, body.connectUrl);
    expect(done.name).toBe("UPSTREAM");
    expect(await callUpstream()).toBe(200);
    await client.service.context.db.kysely
      .updateTable("credentials")
      .set({ refresh_at: 1, expires_at: 1 })
      .execute();
    expect(await callUpstream()).toBe(200);
    await client.call("DELETE", "/credentials/UPSTREAM");
  });

  it("connects with its client metadata document if its address is public", async () => {
    const baseUrl = "https://toolhost.example.com";
    const context = {
      ...client.service.context,
      config: { ...client.service.context.config, baseUrl },
    };
    const served = await fetch(`${client.baseUrl}/oauth2/client.json`);
    expect(await served.json()).toEqual(clientDocument(client.service.context));
    // The document is read over the network in the tests of the authorization server; here, only its host is replaced.
    const { outbound } = upstream.service.context;
    const given = outbound.fetch;
    const read: string[] = [];
    outbound.fetch = async (url, request) => {
      if (!url.startsWith(baseUrl)) return given(url, request);
      read.push(url);
      return Response.json(clientDocument(context));
    };
    try {
      const { body } = await client.callAsOwner("GET", "/me");
      const caller = { ...callerOf(body.user.id), workspaceId: client.workspaceId };
      const { connectUrl = "" } = await createCredential(context, caller, {
        name: "UPSTREAM",
        owner: "user",
        exposable: false,
        oauth2: {
          grantType: "authorization_code",
          resource: `${upstream.baseUrl}/mcp`,
          scopes: [],
          authorizationParameters: {},
        },
      });
      const { back } = await signIn(context, connectUrl);
      expect(back.href.startsWith(`${baseUrl}/oauth2/callback?`)).toBe(true);
      expect(read).toContain(`${baseUrl}/oauth2/client.json`);
      expect(await callUpstream()).toBe(200);
    } finally {
      outbound.fetch = given;
    }
  });
});
