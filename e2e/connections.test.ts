import { randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { createdCredential } from "@toolhost/contract";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { hasBrowser, startChromium } from "./src/browser.ts";
import { createBrowser } from "./src/fetch-browser.ts";
import type { Browser, Page } from "./src/fetch-browser.ts";
import { createCall } from "./src/http.ts";
import { expectProblem } from "./src/expect-problem.ts";
import { proves } from "./src/proves.ts";
import { clientSecret, startProvider } from "./src/provider.ts";
import type { TestProvider } from "./src/provider.ts";
import { dialect } from "./src/database.ts";
import { startSecondNode } from "./src/second-node.ts";
import { expectStatus, startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";
import { endService } from "./src/service-process.ts";
import { until } from "./src/until.ts";

type Event = { action: string; outcome: string };

/** On PostgreSQL, each change tests only what the database stores: connections, renewals, losses and nodes. */
const isShort = dialect === "postgres" && process.env["TEST_ALL"] !== "1";

let provider: TestProvider;
let server: Server;
let api: string;
let tool: string;
/** The text of all responses, to search for secrets at the end. */
let responseTexts = "";

beforeAll(async () => {
  provider = await startProvider();
  api = `http://${provider.host}`;
  server = await startServer({ EGRESS_PRIVATE_HOSTS: provider.host, LOG_LEVEL: "trace" });
  provider.serve({ redirectUri: `${server.baseUrl}/oauth2/callback` });
  tool = await server.makeTool(
    `export default async ({ pauseMs }, ctx) => {
      const headers = { authorization: "Bearer " + ctx.credentials.SERVICE_TOKEN };
      const ask = async () => {
        const response = await fetch("${api}/api", { headers });
        const text = await response.text();
        console.log(text);
        return { status: response.status, text };
      };
      const first = await ask();
      if (pauseMs === undefined) return first;
      await new Promise((done) => setTimeout(done, pauseMs));
      return { first, second: await ask() };
    }`,
    { allowedHosts: [api], credentials: [{ name: "SERVICE_TOKEN", hosts: [api] }] },
  );
});
afterAll(async () => {
  await server?.stop();
  provider?.close();
});
afterEach(async () => {
  await server.call("DELETE", "/credentials/SERVICE_TOKEN");
  provider.life = 3_600;
  provider.isDown = false;
  provider.grants = [];
});

const createConnection = async (oauth2: object, more: object = {}) => {
  const answer = await server.call("POST", "/credentials", {
    name: "SERVICE_TOKEN",
    hosts: [api],
    oauth2: { issuer: provider.origin, clientSecret, ...oauth2 },
    ...more,
  });
  responseTexts += answer.text;
  return answer;
};
const createWebConnection = (oauth2: object = {}, more: object = {}) =>
  createConnection(
    { grantType: "authorization_code", clientId: "web", scopes: ["api:read"], ...oauth2 },
    more,
  );
const createMachineConnection = (oauth2: object = {}) =>
  createConnection({
    grantType: "client_credentials",
    clientId: "machine",
    scopes: ["api:read"],
    ...oauth2,
  });

const run = async (input: object = {}) => {
  const answer = await server.run(tool, input);
  responseTexts += answer.text;
  return answer;
};
const listed = async () => {
  const { body, text } = expectStatus(200, await server.call("GET", "/credentials"));
  responseTexts += text;
  return body[0];
};

const signedIn = (cookie = server.cookie): Browser => {
  const browser = createBrowser();
  browser.setCookies(server.baseUrl, cookie);
  return browser;
};
/** Signs in at the provider and consents, up to the redirect back to the service. */
const agree = async (browser: Browser, connectUrl: string): Promise<Page> => {
  const login = await browser.open(connectUrl);
  const consent = await browser.submit(login, { prompt: "login", login: "ada", password: "x" });
  return browser.submit(consent, { prompt: "consent" });
};
const connect = async (oauth2: object = {}) => {
  const { body } = expectStatus(201, await createWebConnection(oauth2));
  const page = await agree(signedIn(), body.connectUrl);
  if (page.status !== 200) throw new Error(page.text);
  return page;
};

describe("a connection with client credentials", () => {
  test(
    "gets its token immediately, and sends it to the API",
    proves("connections.client_credentials"),
    async () => {
      const { body } = expectStatus(201, await createMachineConnection());
      createdCredential.parse(body);
      expect(body).toMatchObject({ kind: "oauth2", status: "ready", scopes: ["api:read"] });
      expect(Date.parse(body.expiresAt) - Date.now()).toBeGreaterThan(3_000_000);
      const ran = await run();
      expect(ran.body.output).toEqual({
        status: 200,
        text: "hello machine, you sent Bearer [redacted SERVICE_TOKEN]",
      });
      expect(provider.grants).toEqual(["client_credentials"]);
    },
  );

  test("is rejected immediately if its secret is wrong", async () => {
    const refused = await createMachineConnection({ clientSecret: "not the secret" });
    expectProblem(refused, "connection_failed");
    expect(refused.body.detail).toBe(`${provider.host} refused the request: invalid_client.`);
    expect(await listed()).toBeUndefined();
  });
});

describe("a connection of a user", () => {
  test(
    "provides a token after the user consents in a browser",
    proves("connections.consent"),
    async () => {
      const created = expectStatus(201, await createWebConnection());
      createdCredential.parse(created.body);
      expect(created.body).toMatchObject({ kind: "oauth2", status: "awaiting_consent" });
      const before = await run();
      expectProblem(before, "credentials_missing");
      const page = await agree(signedIn(), created.body.connectUrl);
      expect([page.status, page.text]).toEqual([
        200,
        expect.stringContaining("You can close this"),
      ]);
      expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
      expect(page.text).not.toContain("<script");
      expect(await listed()).toMatchObject({ status: "ready", scopes: ["api:read"] });
      expect((await run()).body.output.text).toBe(
        "hello web, you sent Bearer [redacted SERVICE_TOKEN]",
      );
    },
  );

  test(
    "is renewed before it expires, once for concurrent runs",
    proves("connections.renewed"),
    async () => {
      provider.life = 3;
      await connect();
      await sleep(2_000);
      provider.life = 3_600;
      provider.grants = [];
      const runs = await Promise.all(Array.from({ length: 100 }, () => run()));
      expect(new Set(runs.map(({ body }) => body.output?.status))).toEqual(new Set([200]));
      expect(provider.grants).toEqual(["refresh_token"]);
      // The refresh token was rotated, and the new one is used the next time.
      expect(Date.parse((await listed()).expiresAt) - Date.now()).toBeGreaterThan(3_000_000);
    },
  );

  test(
    "sends the newest token during a run, and redacts both",
    proves("connections.renewed"),
    async () => {
      provider.life = 3;
      await connect();
      const { body } = await run({ pauseMs: 3_000 });
      const text = "hello web, you sent Bearer [redacted SERVICE_TOKEN]";
      expect(body.output).toEqual({ first: { status: 200, text }, second: { status: 200, text } });
      expect(provider.grants).toContain("refresh_token");
    },
  );

  test("reports an expired token while the provider is down, and recovers afterwards", async () => {
    provider.life = 2;
    await connect();
    await sleep(1_500);
    provider.isDown = true;
    const refused = await run();
    expectProblem(refused, "unavailable");
    expect(refused.body.detail).toContain("No valid token for SERVICE_TOKEN");
    provider.isDown = false;
    provider.life = 3_600;
    const answer = await until("the provider is asked again", 20_000, async () => {
      const again = await run();
      return again.status === 200 && again;
    });
    expect(answer.body.output.status).toBe(200);
  });

  test(
    "requires reconnection after the provider has ended it",
    proves("connections.reports_loss"),
    async () => {
      provider.life = 2;
      await connect();
      await provider.endGrants();
      await sleep(2_000);
      const refused = await run();
      expectProblem(refused, "credentials_missing");
      const entry = await listed();
      expect(entry).toMatchObject({
        status: "needs_reconnect",
        problem: `${provider.host} refused the request: invalid_grant.`,
        expiresAt: null,
      });
      provider.life = 3_600;
      const again = expectStatus(
        200,
        await server.call("POST", "/credentials/SERVICE_TOKEN/connect"),
      );
      responseTexts += again.text;
      expect((await agree(signedIn(), again.body.connectUrl)).status).toBe(200);
      expect((await run()).body.output.status).toBe(200);
      const events = await server.call("GET", `/audit-events?target=${entry.id}`);
      responseTexts += events.text;
      expect(events.body.map(({ action, outcome }: Event) => `${action} ${outcome}`)).toEqual([
        "credential.connect success",
        "credential.refresh_failed failure",
        "credential.connect success",
        "credential.create success",
      ]);
    },
  );

  test("is revoked at the provider when it is deleted", proves("connections.revoked"), async () => {
    await connect();
    const sent = provider.seen.length;
    expect((await run()).body.output.status).toBe(200);
    const token = provider.seen.slice(sent).join();
    provider.revoked = [];
    expectStatus(204, await server.call("DELETE", "/credentials/SERVICE_TOKEN"));
    await until("the tokens are revoked", 30_000, () => provider.revoked.length > 0);
    await until("the token is of no use", 30_000, async () => {
      const response = await fetch(`${api}/api`, { headers: { authorization: token } });
      return response.status === 401;
    });
  });

  test(
    "survives a shutdown while a token is being requested",
    { ...proves("connections.renewed"), tags: ["nightly"] },
    async () => {
      provider.life = 2;
      await connect();
      await sleep(1_500);
      const { promise, resolve } = Promise.withResolvers<void>();
      provider.hold = promise;
      provider.life = 3_600;
      provider.grants = [];
      const cut = run().catch(() => "cut off");
      await until("the provider gave a token", 30_000, () => provider.grants.length > 0);
      const stopped = server.end("SIGTERM");
      await sleep(1_000);
      provider.hold = undefined;
      resolve();
      await stopped;
      await cut;
      await server.startAgain({ PORT: new URL(server.baseUrl).port });
      expect((await run()).body.output.status).toBe(200);
      expect(provider.grants).toEqual(["refresh_token"]);
    },
  );

  test(
    "reports a token that was lost because the service was killed before storing it",
    proves("connections.reports_loss"),
    async () => {
      provider.life = 2;
      await connect();
      await sleep(2_000);
      const { promise, resolve } = Promise.withResolvers<void>();
      provider.hold = promise;
      provider.grants = [];
      const cut = run().catch(() => "cut off");
      await until("the provider gave a token", 30_000, () => provider.grants.length > 0);
      await server.end("SIGKILL");
      provider.hold = undefined;
      resolve();
      await cut;
      await server.startAgain({ PORT: new URL(server.baseUrl).port });
      expectProblem(await run(), "credentials_missing");
      expect(await listed()).toMatchObject({
        status: "needs_reconnect",
        problem: expect.stringContaining("A renewal was interrupted"),
      });
    },
  );
});

describe.skipIf(isShort)("the OAuth flow with the provider", () => {
  const startConnection = async (browser = signedIn()) => {
    const { body } = expectStatus(201, await createWebConnection());
    const connectUrl = String(body.connectUrl);
    const away = await browser.step(connectUrl);
    const location = new URL(away.headers.get("location") ?? "");
    return { browser, connectUrl, away, location, id: String(body.id) };
  };
  const callback = (parameters: Record<string, string>) =>
    `${server.baseUrl}/oauth2/callback?${new URLSearchParams(parameters).toString()}`;

  test("sends PKCE and a state, and no secret", proves("connections.consent"), async () => {
    const { away, location } = await startConnection();
    expect(away.status).toBe(302);
    expect(away.headers.get("referrer-policy")).toBe("no-referrer");
    expect(away.headers.get("set-cookie")).toMatch(/HttpOnly; SameSite=Lax/i);
    expect(Object.fromEntries(location.searchParams)).toEqual({
      response_type: "code",
      client_id: "web",
      redirect_uri: `${server.baseUrl}/oauth2/callback`,
      state: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: "S256",
      scope: "api:read",
    });
  });

  test("reports that the user declined", proves("connections.bound"), async () => {
    const { body } = expectStatus(201, await createWebConnection());
    const browser = signedIn();
    const login = await browser.open(body.connectUrl);
    const page = await browser.open(`${login.url}/abort`);
    expect([page.status, page.text]).toEqual([422, expect.stringContaining("You cancelled")]);
    expect(await listed()).toMatchObject({ status: "awaiting_consent" });
    expect((await browser.open(page.url)).status).toBe(404);
  });

  test("accepts each callback once", proves("connections.bound"), async () => {
    const { body } = expectStatus(201, await createWebConnection());
    const browser = signedIn();
    const page = await agree(browser, body.connectUrl);
    expect(page.status).toBe(200);
    const replayed = await browser.open(page.url);
    expect([replayed.status, replayed.text]).toEqual([
      404,
      expect.stringContaining("used already"),
    ]);
  });

  test(
    "rejects a callback with an unknown state or another issuer",
    proves("connections.bound"),
    async () => {
      const { browser, location } = await startConnection();
      const unknown = await browser.open(callback({ code: "x", state: "made-up" }));
      expect(unknown.status).toBe(404);
      const state = location.searchParams.get("state") ?? "";
      const mixed = await browser.open(
        callback({ code: "x", state, iss: "https://evil.example.com" }),
      );
      expect([mixed.status, mixed.text]).toEqual([
        422,
        expect.stringContaining("did not come from"),
      ]);
      expect(mixed.text).not.toContain("evil");
      expect(await listed()).toMatchObject({ status: "awaiting_consent" });
    },
  );

  test("rejects a callback without an issuer if the provider always names one", async () => {
    const { browser, location } = await startConnection();
    const state = location.searchParams.get("state") ?? "";
    const page = await browser.open(callback({ code: "x", state }));
    expect([page.status, page.text]).toEqual([422, expect.stringContaining("did not come from")]);
  });

  test(
    "rejects a callback in another browser, and the first one can still continue",
    proves("connections.bound"),
    async () => {
      const { browser, location } = await startConnection();
      const state = location.searchParams.get("state") ?? "";
      const elsewhere = signedIn();
      const forged = await elsewhere.open(callback({ code: "x", state, iss: provider.origin }));
      expect([forged.status, forged.text]).toEqual([
        403,
        expect.stringContaining("another browser"),
      ]);
      const login = await browser.open(location.href);
      const consent = await browser.submit(login, { prompt: "login", login: "ada", password: "x" });
      expect((await browser.submit(consent, { prompt: "consent" })).status).toBe(200);
    },
  );

  test("redirects to sign-in first, and requires a confirmation", async () => {
    const { body } = expectStatus(201, await createWebConnection());
    const browser = createBrowser();
    const form = await browser.open(body.connectUrl);
    expect(new URL(form.url).pathname).toBe("/sign-in");
    const offer = await browser.submit(form, server.person);
    expect([offer.status, offer.text]).toEqual([
      200,
      expect.stringContaining("Connect SERVICE_TOKEN?"),
    ]);
    const link = /<a [^>]*href="([^"]+)"/.exec(offer.text)?.[1] ?? "";
    expect((await agree(browser, link)).status).toBe(200);
  });

  test.skipIf(!hasBrowser)(
    "works in a real browser, from sign-in to the last page",
    { ...proves("connections.consent"), tags: ["nightly"] },
    async () => {
      const { body } = expectStatus(201, await createWebConnection());
      const chromium = await startChromium();
      try {
        const page = await chromium.newPage();
        const blocked: string[] = [];
        page.on("console", (message) => {
          if (message.type() === "error") blocked.push(message.text());
        });
        await page.goto(body.connectUrl);
        await page.getByLabel("Email address").fill(server.person.email);
        await page.getByLabel("Password").fill(server.person.password);
        await page.getByRole("button", { name: "Sign in" }).click();
        await page.getByRole("link", { name: `Continue to ${provider.host}` }).click();
        await page.getByPlaceholder("Enter any login").fill("ada");
        await page.getByPlaceholder("and password").fill("x");
        await page.getByRole("button", { name: "Sign-in" }).click();
        await page.getByRole("button", { name: "Continue" }).click();
        await page.getByRole("heading", { name: "Connected" }).waitFor();
        expect(new URL(page.url()).origin).toBe(server.baseUrl);
        expect(blocked.filter((text) => text.includes(server.baseUrl))).toEqual([]);
      } finally {
        await chromium.close();
      }
      expect((await run()).body.output.status).toBe(200);
    },
  );

  test("starts from a permanent page only through its link", async () => {
    const { id } = await startConnection();
    const browser = signedIn();
    const offer = await browser.open(`${server.baseUrl}/oauth2/connect?credential=${id}`);
    expect([offer.status, offer.text]).toEqual([200, expect.stringContaining(provider.host)]);
    expect(offer.headers.get("x-frame-options")).toBe("DENY");
    const link = /<a [^>]*href="([^"]+)"/.exec(offer.text)?.[1] ?? "";
    expect((await agree(browser, link)).status).toBe(200);
    const none = await browser.open(`${server.baseUrl}/oauth2/connect?credential=${randomUUID()}`);
    expect(none.status).toBe(404);
  });
});

describe.skipIf(dialect !== "postgres")("on two nodes, a connection", () => {
  test(
    "is renewed once for concurrent runs on both",
    { ...proves("connections.renewed"), tags: ["nightly"] },
    async () => {
      const other = await startSecondNode(server);
      try {
        const callOther = createCall(
          () => other.baseUrl,
          () => ({ authorization: `Bearer ${server.apiKey}` }),
        );
        provider.life = 3;
        await connect();
        await sleep(2_000);
        provider.life = 3_600;
        provider.grants = [];
        const runs = await Promise.all(
          Array.from({ length: 100 }, (_, index) =>
            index % 2 === 0 ? run() : callOther("POST", `/run/${tool}`, {}, { prefer: "wait=55" }),
          ),
        );
        expect(new Set(runs.map(({ body }) => body.output?.status))).toEqual(new Set([200]));
        expect(provider.grants).toEqual(["refresh_token"]);
      } finally {
        await endService(other, "SIGTERM");
      }
    },
  );
});

describe.skipIf(isShort)("a provider", () => {
  test(
    "is contacted only over HTTPS and at public addresses, unless the operator allows it",
    proves("connections.egress"),
    async () => {
      const urls = (host: string) => ({
        issuer: undefined,
        tokenUrl: `${host}/token`,
        authorizationUrl: `${host}/auth`,
      });
      const plain = await createMachineConnection(urls("http://provider.example.com"));
      expectProblem(plain, "invalid_request");
      const own = await createMachineConnection(urls("https://127.0.0.1:1"));
      expectProblem(own, "connection_failed");
      expect(own.body.detail).toContain("it is an address of this machine");
      for (const issuer of ["https://169.254.169.254", "https://missing.invalid"]) {
        const metadata = await createMachineConnection({ issuer });
        expectProblem(metadata, "connection_failed");
        expect(metadata.body.errors).toMatchObject([{ path: "/oauth2/issuer" }]);
      }
    },
  );

  test("accepts a provider configured by its URLs only", async () => {
    const named = {
      tokenUrl: `${provider.origin}/token`,
      authorizationUrl: `${provider.origin}/auth`,
    };
    await connect({ issuer: undefined, ...named });
    expect((await run()).body.output.status).toBe(200);
  });
});

test(
  "exposes no token or client secret in responses, logs or the database",
  proves("credentials.never_shown"),
  async () => {
    await connect();
    await run();
    const tokens = provider.seen.map((line) => line.replace(/^Bearer /, ""));
    const secrets = [clientSecret, ...tokens, ...provider.refreshTokens].filter(Boolean);
    expect(secrets.length).toBeGreaterThan(5);
    const events = await server.call("GET", "/audit-events?limit=200");
    const { stdout, stderr } = server.process.printed();
    const files = await readdir(server.dataDir, { recursive: true, withFileTypes: true });
    const contents = await Promise.all(
      files
        .filter((file) => file.isFile())
        .map((file) => readFile(join(file.parentPath, file.name), "latin1").catch(() => "")),
    );
    const all = [responseTexts, events.text, stdout, stderr, ...contents].join("\n");
    expect(secrets.filter((secret) => all.includes(secret))).toEqual([]);
  },
);
