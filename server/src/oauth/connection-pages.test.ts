import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { hashPassword } from "better-auth/crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { deleteExpiredAttempts } from "#core/oauth-client";
import { newId } from "#lib/ids";
import { draftOf, startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void;

let test: TestService;
let answer: Answer;
let asked: { url: string; body: string; authorization: string | undefined }[] = [];
const provider = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const body = Buffer.concat(chunks).toString();
    const { url = "", headers } = request;
    asked.push({ url, body, authorization: headers.authorization });
    answer(request, response, body);
  });
});
let origin: string;

const json =
  (body: unknown, status = 200): Answer =>
  (_, response) => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  };
const tokens = { access_token: "the-access-token", token_type: "Bearer", expires_in: 3_600 };

beforeAll(async () => {
  await new Promise<void>((resolve) => {
    provider.listen(0, "127.0.0.1", resolve);
  });
  const { port } = provider.address() as AddressInfo;
  origin = `http://127.0.0.1:${port}`;
  test = await startTestService({ EGRESS_PRIVATE_HOSTS: `127.0.0.1:${port}` });
});
afterAll(async () => {
  await test.stop();
  provider.closeAllConnections();
  provider.close();
});
beforeEach(async () => {
  await test.call("DELETE", "/credentials/TOKEN?owner=user");
  await test.call("DELETE", "/credentials/TOKEN?owner=workspace");
  asked = [];
  answer = json(tokens);
});

const keep = (oauth2: object = {}, more: object = {}) =>
  test.call("POST", "/credentials", {
    name: "TOKEN",
    hosts: ["api.example.com"],
    oauth2: {
      grantType: "authorization_code",
      clientId: "us",
      clientSecret: "a client's secret",
      authorizationUrl: `${origin}/authorize?tenant=1`,
      tokenUrl: `${origin}/token`,
      ...oauth2,
    },
    ...more,
  });
const keepMachine = (oauth2: object = {}) => keep({ grantType: "client_credentials", ...oauth2 });

const visit = async (url: string, cookie: string) => {
  const response = await fetch(url, { redirect: "manual", headers: { cookie } });
  const set = response.headers.getSetCookie().map((line) => line.split(";")[0] ?? "");
  return { status: response.status, headers: response.headers, text: await response.text(), set };
};

/** Starts the authorization in the owner's browser; returns what the callback needs. */
const leave = async (connectUrl: string, cookie = test.cookie) => {
  const { headers, set, status, text } = await visit(connectUrl, cookie);
  if (status !== 302) throw new Error(text);
  const location = new URL(headers.get("location") ?? "");
  const state = location.searchParams.get("state") ?? "";
  const back = new URLSearchParams({ code: "the-code", state }).toString();
  return { location, set, callbackUrl: `${test.baseUrl}/oauth2/callback?${back}` };
};

/** Another person who can sign in, in the owner's workspace. */
const someoneElse = async (role: string) => {
  const { userId, apiKey } = await test.addPerson(test.workspaceId, role);
  const { db } = test.service.context;
  const at = db.dialect === "postgres" ? new Date() : new Date().toISOString();
  const account = {
    id: newId(),
    user_id: userId,
    account_id: userId,
    provider_id: "credential",
    password: await hashPassword("a long pass phrase"),
    created_at: at,
    updated_at: at,
  };
  // The sign-in library's tables are not part of our schema.
  await db.kysely
    .insertInto("accounts" as never)
    .values(account)
    .execute();
  const response = await fetch(`${test.baseUrl}/api/auth/sign-in/email`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: test.baseUrl },
    body: JSON.stringify({ email: `${userId}@example.com`, password: "a long pass phrase" }),
  });
  if (!response.ok) throw new Error(await response.text());
  const cookie = response.headers.getSetCookie().map((line) => line.split(";")[0]);
  return { userId, apiKey, cookie: cookie.join("; ") };
};

describe("connecting from a tool's link", () => {
  const makeTool = async (headers: Record<string, string>) => {
    const definition = {
      ...draftOf("export default (_, ctx) => ({ has: ctx.credentials.TOKEN !== undefined })"),
      allowedHosts: ["api.example.com"],
      credentials: [{ name: "TOKEN", hosts: ["api.example.com"] }],
      visibility: "workspace",
    };
    const { body } = await test.call("POST", "/tools", definition, headers);
    return String(body.name);
  };
  const connect = async (tool: string, meanwhile: () => Promise<unknown> = async () => {}) => {
    const asking = await test.call("POST", `/run/${tool}`, {});
    const [lack] = asking.body.missing;
    expect(lack).toMatchObject({ name: "TOKEN" });
    const page = await visit(lack.connectUrl, test.cookie);
    const [, start = ""] = /href="([^"]*oauth2\/connect\/[^"]*)"/.exec(page.text) ?? [];
    const { set, callbackUrl } = await leave(start);
    await meanwhile();
    const done = await visit(callbackUrl, [test.cookie, ...set].join("; "));
    return { page: page.text, done: done.text };
  };
  const builder = async () => {
    const { apiKey } = await test.addPerson(test.workspaceId, "builder");
    return { authorization: `Bearer ${apiKey}` };
  };

  it("approves the version that the page shows, together with the tokens", async () => {
    await keep();
    const tool = await makeTool(await builder());
    // Approved first, so that only the connection is missing, and then withdrawn.
    await test.call("POST", `/tools/${tool}/approvals`, { version: 1 });
    const { page, done } = await connect(tool, () =>
      test.call("DELETE", `/tools/${tool}/approvals`),
    );
    expect(page).toContain("Connecting also approves version 1 of Test tool");
    expect(done).toContain(`Version 1 of ${tool} is approved`);
    expect((await test.call("POST", `/run/${tool}`, {})).body.output).toEqual({ has: true });
  });

  it("stores the tokens and approves nothing if the tool has changed", async () => {
    await keep();
    const author = await builder();
    const tool = await makeTool(author);
    await test.call("POST", `/tools/${tool}/approvals`, { version: 1 });
    const patch = { allowedHosts: ["api.example.com", "collector.example.com"] };
    const { done } = await connect(tool, () => test.call("PATCH", `/tools/${tool}`, patch, author));
    expect(done).toContain("TOKEN is connected");
    expect(done).toContain("nothing was approved");
    const refused = await test.call("POST", `/run/${tool}`, {});
    expect(refused.body.missing).toMatchObject([{ reason: "not_approved" }]);
  });

  it("approves a tool by creating a connection for it", async () => {
    const tool = await makeTool(await builder());
    const { body } = await keep({}, { approve: { tool, version: 1 } });
    const { set, callbackUrl } = await leave(body.connectUrl);
    expect((await test.call("POST", `/run/${tool}`, {})).status).toBe(422);
    await visit(callbackUrl, [test.cookie, ...set].join("; "));
    expect((await test.call("POST", `/run/${tool}`, {})).body.output).toEqual({ has: true });
  });
});

describe("the authorization at a provider", () => {
  it("redirects there and back, and stores the tokens", async () => {
    const { body } = await keep({ scopes: ["a", "b"], resource: "https://api.example.com/" });
    const { location, set, callbackUrl } = await leave(body.connectUrl);
    expect(location.searchParams.get("tenant")).toBe("1");
    expect(location.searchParams.get("scope")).toBe("a b");
    answer = json({ ...tokens, scope: "a" });
    const done = await visit(callbackUrl, [test.cookie, ...set].join("; "));
    expect([done.status, done.text]).toEqual([200, expect.stringContaining("TOKEN is connected")]);
    const sent = new URLSearchParams(asked[0]?.body);
    expect(Object.fromEntries(sent)).toEqual({
      grant_type: "authorization_code",
      code: "the-code",
      redirect_uri: `${test.baseUrl}/oauth2/callback`,
      code_verifier: expect.stringMatching(/^[0-9a-f]{64}$/),
      resource: "https://api.example.com/",
    });
    expect(asked[0]?.authorization).toMatch(/^Basic /);
    const listed = await test.call("GET", "/credentials");
    expect(listed.body).toMatchObject([{ status: "ready", scopes: ["a"] }]);
  });

  it("accepts only the user who started it", async () => {
    const other = await someoneElse("owner");
    const { body } = await keep({}, { owner: "workspace" });
    const start = await visit(body.connectUrl, other.cookie);
    expect([start.status, start.text]).toEqual([403, expect.stringContaining("someone else")]);
    const { set, callbackUrl } = await leave(body.connectUrl);
    const stolen = await visit(callbackUrl, [other.cookie, ...set].join("; "));
    expect([stolen.status, stolen.text]).toEqual([403, expect.stringContaining("someone else")]);
    expect(asked).toEqual([]);
    expect((await visit(callbackUrl, [test.cookie, ...set].join("; "))).status).toBe(200);
  });

  it("accepts only the browser that started it", async () => {
    const { body } = await keep();
    const { set, callbackUrl } = await leave(body.connectUrl);
    const others = set.map((cookie) => `${cookie.split("=")[0]}=another-secret`);
    for (const cookies of [[], others]) {
      const page = await visit(callbackUrl, [test.cookie, ...cookies].join("; "));
      expect([page.status, page.text]).toEqual([403, expect.stringContaining("another browser")]);
    }
    expect(asked).toEqual([]);
    expect((await visit(callbackUrl, [test.cookie, ...set].join("; "))).status).toBe(200);
  });

  it("requires the right to manage the credential", async () => {
    const member = await someoneElse("member");
    const shared = await keep({}, { owner: "workspace" });
    const lasting = (id: string) => `${test.baseUrl}/oauth2/connect?credential=${id}`;
    expect((await visit(lasting(shared.body.id), member.cookie)).status).toBe(403);
    const own = await keep();
    expect((await visit(lasting(own.body.id), member.cookie)).status).toBe(404);
    const asMember = { authorization: `Bearer ${member.apiKey}` };
    const again = await test.call("POST", "/credentials/TOKEN/connect", undefined, asMember);
    expect(again.status).toBe(403);
  });

  it("rejects a user who is no longer a member", async () => {
    const admin = await someoneElse("admin");
    const asAdmin = { authorization: `Bearer ${admin.apiKey}` };
    await keep({}, { owner: "workspace" });
    const { body } = await test.call("POST", "/credentials/TOKEN/connect", undefined, asAdmin);
    const { set, callbackUrl } = await leave(body.connectUrl, admin.cookie);
    const { db } = test.service.context;
    await db.kysely.deleteFrom("members").where("user_id", "=", admin.userId).execute();
    expect((await visit(callbackUrl, [admin.cookie, ...set].join("; "))).status).toBe(404);
    expect(asked).toEqual([]);
  });

  it("expires after ten minutes", async () => {
    const { body } = await keep();
    const { set, callbackUrl } = await leave(body.connectUrl);
    const { db } = test.service.context;
    const late = { expires_at: 1 };
    await db.kysely.updateTable("connection_attempts").set(late).execute();
    expect((await visit(callbackUrl, [test.cookie, ...set].join("; "))).status).toBe(404);
    expect((await visit(body.connectUrl, test.cookie)).status).toBe(404);
    expect(asked).toEqual([]);
    await db.kysely.updateTable("connection_attempts").set(late).execute();
    await deleteExpiredAttempts(test.service.context);
    const left = await db.kysely.selectFrom("connection_attempts").selectAll().execute();
    expect(left).toEqual([]);
  });

  it("restarts from the same URL, which invalidates the first state", async () => {
    const { body } = await keep();
    const first = await leave(body.connectUrl);
    const second = await leave(body.connectUrl);
    const cookie = [test.cookie, ...first.set, ...second.set].join("; ");
    expect((await visit(first.callbackUrl, cookie)).status).toBe(404);
    expect((await visit(second.callbackUrl, cookie)).status).toBe(200);
  });

  it("redirects to sign-in first", async () => {
    const { body } = await keep();
    const start = await visit(body.connectUrl, "");
    expect([start.status, start.headers.get("location")]).toEqual([
      303,
      expect.stringContaining("/sign-in?next="),
    ]);
  });

  it("shows an error page for an unknown link", async () => {
    const paths = [
      "connect",
      "connect?credential=%00",
      "connect?credential=%3Cb%3Eevil",
      "connect/%00",
      "connect/%3Cb%3Eevil?ask",
      "callback",
      "callback?state=%00&code=%00",
      `callback?state=${"x".repeat(8_000)}`,
      "callback?error=%3Cb%3Eevil",
    ];
    for (const path of paths) {
      const page = await visit(`${test.baseUrl}/oauth2/${path}`, test.cookie);
      expect([path, page.status]).toEqual([path, 404]);
      expect(page.headers.get("content-type")).toContain("text/html");
      expect(page.text).not.toContain("evil");
    }
  });

  it("stores only hashes in the database", async () => {
    const { body } = await keep();
    const { location, set } = await leave(body.connectUrl);
    const { db } = test.service.context;
    const tables = ["connection_attempts", "credentials", "idempotency_records", "audit_events"];
    const rows = await Promise.all(
      tables.map((table) =>
        db.kysely
          .selectFrom(table as "credentials")
          .selectAll()
          .execute(),
      ),
    );
    const kept = JSON.stringify(rows);
    const secrets = [
      body.connectUrl.split("/").at(-1),
      location.searchParams.get("state"),
      set[0]?.split("=")[1],
      "a client's secret",
    ];
    expect(secrets.map((secret) => kept.includes(String(secret)))).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });
});

describe("the token response", () => {
  const huge = "x".repeat(2 * 1024 * 1024);
  it.each<[string, Answer, number]>([
    ["an unknown error", json({ error: "<b>evil</b>", error_description: "evil" }), 422],
    ["a token with a line break", json({ ...tokens, access_token: "evil\r\nx: y" }), 422],
    [
      "a token that is too short to be taken out of texts",
      json({ ...tokens, access_token: "evi" }),
      422,
    ],
    ["a token bound to a key", json({ ...tokens, token_type: "DPoP" }), 422],
    ["no token type", json({ access_token: "evil-token" }), 503],
    ["a token that is no text", json({ ...tokens, access_token: { evil: 1 } }), 503],
    ["a life that is no number", json({ ...tokens, expires_in: "evil" }), 503],
    ["a page", (_, response) => response.end("<html>evil</html>"), 503],
    ["more than is read", json({ ...tokens, scope: huge }), 503],
    ["nothing", (request) => request.socket.destroy(), 503],
    ["an error of the server", json({ evil: true }, 500), 503],
    [
      "a redirect",
      (_, response) => response.writeHead(307, { location: `${origin}/evil` }).end(),
      503,
    ],
  ])("is not believed when it is %s", async (_, said, status) => {
    answer = said;
    const refused = await keepMachine();
    expect(refused.status).toBe(status);
    expect(refused.text).not.toContain("evil");
    expect(asked).toHaveLength(1);
    expect((await test.call("GET", "/credentials")).body).toEqual([]);
  });

  it("does not renew a token without an expiry", async () => {
    answer = json({ access_token: "lasting-token", token_type: "bearer" });
    const { body } = await keepMachine();
    expect(body).toMatchObject({ status: "ready", expiresAt: null });
  });

  it("sends the client secret as the provider requires", async () => {
    await keepMachine({ tokenEndpointAuthMethod: "client_secret_post", audience: "https://a" });
    expect(asked[0]?.authorization).toBeUndefined();
    expect(Object.fromEntries(new URLSearchParams(asked[0]?.body))).toEqual({
      grant_type: "client_credentials",
      client_id: "us",
      client_secret: "a client's secret",
      audience: "https://a",
    });
  });

  it("requests a token again on request, after an error", async () => {
    await keepMachine();
    answer = json({ error: "invalid_client" }, 401);
    const refused = await test.call("POST", "/credentials/TOKEN/connect");
    expect([refused.status, refused.body.code]).toEqual([422, "connection_failed"]);
    answer = json(tokens);
    const again = await test.call("POST", "/credentials/TOKEN/connect");
    expect([again.status, again.body.status]).toEqual([200, "ready"]);
  });
});

describe("an expired token", () => {
  /** A lifetime of a second ends immediately, as providers count in whole seconds. */
  const brief = { ...tokens, expires_in: 1 };
  let tool: string;
  beforeAll(async () => {
    tool = await test.makeTool("export default () => ({ ran: true })", {
      credentials: [{ name: "TOKEN" }],
    });
  });
  const run = () => test.call("POST", `/run/${tool}`, {});
  const connect = async (given: object, oauth2: object = {}) => {
    const { body } = await keep(oauth2);
    const { set, callbackUrl } = await leave(body.connectUrl);
    answer = json(given);
    const { status, text } = await visit(callbackUrl, [test.cookie, ...set].join("; "));
    if (status !== 200) throw new Error(text);
    asked = [];
  };
  const listed = async () => (await test.call("GET", "/credentials")).body[0];

  it("requires a new connection without a refresh token", async () => {
    await connect(brief);
    const refused = await run();
    expect([refused.status, refused.body.missing[0].reason]).toEqual([422, "not_connected"]);
    expect(asked).toEqual([]);
    expect((await listed()).problem).toContain("issued no refresh token");
  });

  it("renews with the latest refresh token", async () => {
    await connect({ ...brief, refresh_token: "refresh-1" });
    for (const given of [{ refresh_token: "refresh-2" }, {}, { refresh_token: "refresh-3" }, {}]) {
      answer = json({ ...brief, ...given });
      expect((await run()).body.output).toEqual({ ran: true });
    }
    const sent = asked.map(({ body }) => new URLSearchParams(body).get("refresh_token"));
    expect(sent.length).toBeGreaterThanOrEqual(4);
    // A run that does not start within half a second of its check renews the token once more.
    const changed = sent.filter((token, index) => token !== sent[index - 1]);
    expect(changed).toEqual(["refresh-1", "refresh-2", "refresh-3"]);
  });

  it("is never renewed with a refresh token from before it was reconnected, maybe by another account", async () => {
    await connect({ ...tokens, refresh_token: "refresh-1" });
    const { body } = await test.call("POST", "/credentials/TOKEN/connect");
    const { set, callbackUrl } = await leave(body.connectUrl);
    answer = json(brief);
    expect((await visit(callbackUrl, [test.cookie, ...set].join("; "))).status).toBe(200);
    asked = [];
    expect((await run()).body.missing[0].reason).toBe("not_connected");
    expect(asked).toEqual([]);
  });

  it("retains the connection while the provider temporarily rejects the client", async () => {
    await connect({ ...brief, refresh_token: "refresh-1" });
    answer = json({ error: "invalid_client" }, 401);
    const refused = await run();
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(refused.body.detail).toContain("refused the request: invalid_client");
    // No retry within the pause.
    const count = asked.length;
    expect((await run()).status).toBe(503);
    expect(asked).toHaveLength(count);
    answer = json({ ...tokens, refresh_token: "refresh-2" });
    await new Promise((resolve) => {
      setTimeout(resolve, 1_100);
    });
    expect((await run()).body.output).toEqual({ ran: true });
    expect(await listed()).toMatchObject({ status: "ready", problem: null });
  });

  it("requests a new client-credentials token, and reports the connection as broken when that is rejected", async () => {
    answer = json(brief);
    await keepMachine();
    answer = json(tokens);
    expect((await run()).body.output).toEqual({ ran: true });
    const { db } = test.service.context;
    await db.kysely.updateTable("credentials").set({ expires_at: 1, refresh_at: 1 }).execute();
    answer = json({ error: "invalid_client" }, 401);
    const refused = await run();
    expect([refused.status, refused.body.missing[0].reason]).toEqual([422, "not_connected"]);
    answer = json(tokens);
    expect((await test.call("POST", "/credentials/TOKEN/connect")).body.status).toBe("ready");
    expect((await run()).body.output).toEqual({ ran: true });
  });

  it("is revoked at the provider if its credential was deleted during renewal", async () => {
    await connect({ ...brief, refresh_token: "refresh-1" }, { revocationUrl: `${origin}/revoke` });
    const { promise: deleted, resolve } = Promise.withResolvers<void>();
    answer = (request, response, body) => {
      if (request.url === "/revoke") response.end();
      else
        void deleted.then(() =>
          json({ ...tokens, refresh_token: "refresh-2" })(request, response, body),
        );
    };
    const running = run();
    await expect.poll(() => asked.length).toBe(1);
    await test.call("DELETE", "/credentials/TOKEN");
    resolve();
    const refused = await running;
    expect([refused.status, refused.body.code]).toEqual([422, "credentials_missing"]);
    const revoked = () =>
      asked
        .filter(({ url }) => url === "/revoke")
        .map(({ body }) => String(new URLSearchParams(body).get("token")))
        .toSorted((one, other) => one.localeCompare(other));
    await expect
      .poll(() => revoked())
      .toEqual(["refresh-1", "refresh-2", tokens.access_token, tokens.access_token]);
  });
});

describe("the connections of a person who leaves", () => {
  it("revokes connections at their provider", async () => {
    const { userId, apiKey } = await test.addPerson(test.workspaceId, "member");
    const draft = {
      name: "TOKEN",
      hosts: ["api.example.com"],
      oauth2: {
        grantType: "client_credentials",
        clientId: "us",
        clientSecret: "a client's secret",
        tokenUrl: `${origin}/token`,
        revocationUrl: `${origin}/revoke`,
      },
    };
    const asMember = { authorization: `Bearer ${apiKey}` };
    expect((await test.call("POST", "/credentials", draft, asMember)).status).toBe(201);
    asked = [];
    const path = `/workspaces/${test.workspaceId}/members/${userId}`;
    expect((await test.callAsOwner("DELETE", path)).status).toBe(204);
    await expect
      .poll(() => asked.map(({ url, body }) => [url, new URLSearchParams(body).get("token")]))
      .toEqual([["/revoke", tokens.access_token]]);
  });
});

describe("a token that is about to expire", () => {
  it("stays in use while it is renewed in the background", async () => {
    const tool = await test.makeTool("export default () => ({ ran: true })", {
      credentials: [{ name: "TOKEN" }],
    });
    await keepMachine();
    const { db, clock } = test.service.context;
    const near = { refresh_at: clock.now() - 1, expires_at: clock.now() + 60_000 };
    await db.kysely.updateTable("credentials").set(near).execute();
    const { promise: released, resolve } = Promise.withResolvers<void>();
    answer = (...call) => void released.then(() => json(tokens)(...call));
    asked = [];
    const runs = await Promise.all(
      Array.from({ length: 5 }, () => test.call("POST", `/run/${tool}`, {})),
    );
    expect(runs.map(({ body }) => body.status)).toEqual(
      Array.from({ length: 5 }, () => "completed"),
    );
    expect(asked).toHaveLength(1);
    resolve();
    await expect
      .poll(async () => Date.parse((await test.call("GET", "/credentials")).body[0].expiresAt))
      .toBeGreaterThan(near.expires_at);
    expect(asked).toHaveLength(1);
  });
});

describe("a token while its provider is down", () => {
  it("stays in use until it expires, and renewal is retried after a pause", async () => {
    const tool = await test.makeTool("export default () => ({ ran: true })", {
      credentials: [{ name: "TOKEN" }],
    });
    const run = () => test.call("POST", `/run/${tool}`, {});
    await keepMachine();
    const { db, clock } = test.service.context;
    const live = (ms: number) => ({ refresh_at: clock.now() - 1, expires_at: clock.now() + ms });
    answer = (_, response) => response.writeHead(503).end();
    asked = [];
    await db.kysely.updateTable("credentials").set(live(60_000)).execute();
    expect((await run()).body.status).toBe("completed");
    await expect.poll(() => asked.length).toBe(1);
    await expect
      .poll(async () => (await db.kysely.selectFrom("credentials").selectAll().execute())[0])
      .toMatchObject({ refresh_failures: 1, refresh_claim: null, status: "ready" });
    expect((await run()).body.status).toBe("completed");
    await db.kysely.updateTable("credentials").set(live(0)).execute();
    const refused = await run();
    expect([refused.status, refused.body.code]).toEqual([503, "unavailable"]);
    expect(asked).toHaveLength(1);
    const { id } = (await test.call("GET", "/credentials")).body[0];
    const events = await test.call("GET", `/audit-events?target=${id}`);
    expect(events.body[0]).toMatchObject({
      action: "credential.refresh_failed",
      details: { name: "TOKEN", reason: "unreachable" },
    });
  });
});

describe("POST /credentials with an OAuth 2 connection", () => {
  it.each<[string, object]>([
    ["both a value and oauth2", { value: "some value" }],
    ["neither value nor oauth2", { oauth2: undefined }],
  ])("rejects %s", async (_, more) => {
    expect((await keep({}, more)).status).toBe(400);
  });

  it.each<[string, object]>([
    ["no token URL", { tokenUrl: undefined }],
    ["no authorization URL", { authorizationUrl: undefined }],
    ["both an issuer and URLs", { issuer: "https://issuer.example.com" }],
    [
      "client credentials without a secret",
      { grantType: "client_credentials", clientSecret: undefined },
    ],
    ["a reserved parameter", { authorizationParameters: { redirect_uri: "https://evil.example" } }],
    ["a URL of another scheme", { tokenUrl: "file:///etc/passwd" }],
    ["credentials in a URL", { tokenUrl: "https://user:password@example.com/" }],
    ["plain HTTP to a public host", { tokenUrl: "http://provider.example.com/token" }],
  ])("rejects %s", async (_, more) => {
    expect((await keep(more)).status).toBe(400);
    expect(asked).toEqual([]);
  });
});
