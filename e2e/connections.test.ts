import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createdCredential } from "@toolhost/contract";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createBrowser } from "./src/browser.ts";
import type { Browser, Page } from "./src/browser.ts";
import { expectProblem } from "./src/expect-problem.ts";
import { proves } from "./src/proves.ts";
import { clientSecret, startProvider } from "./src/provider.ts";
import type { TestProvider } from "./src/provider.ts";
import { expectStatus, startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";
import { until } from "./src/until.ts";

let provider: TestProvider;
let server: Server;
let api: string;
let tool: string;
/** Everything that answers have said, to be searched for secrets at the end. */
let said = "";

beforeAll(async () => {
  provider = await startProvider();
  api = `http://${provider.host}`;
  server = await startServer({ EGRESS_PRIVATE_HOSTS: provider.host, LOG_LEVEL: "trace" });
  provider.serve({ redirectUri: `${server.baseUrl}/oauth2/callback` });
  tool = await server.makeTool(
    `export default async ({ path = "", times = 1 }, ctx) => {
      const headers = { authorization: "Bearer " + ctx.credentials.SERVICE_TOKEN };
      const response = await fetch("${api}/api" + path, { headers });
      const text = await response.text();
      console.log(text);
      return { status: response.status, text };
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

const keep = async (oauth2: object, more: object = {}) => {
  const answer = await server.call("POST", "/credentials", {
    name: "SERVICE_TOKEN",
    hosts: [api],
    oauth2: { issuer: provider.origin, clientSecret, ...oauth2 },
    ...more,
  });
  said += answer.text;
  return answer;
};
const keepWeb = (oauth2: object = {}, more: object = {}) =>
  keep({ grantType: "authorization_code", clientId: "web", scopes: ["api:read"], ...oauth2 }, more);
const keepMachine = (oauth2: object = {}) =>
  keep({ grantType: "client_credentials", clientId: "machine", scopes: ["api:read"], ...oauth2 });

const run = async () => {
  const answer = await server.run(tool, {});
  said += answer.text;
  return answer;
};
const listed = async () => {
  const { body, text } = expectStatus(200, await server.call("GET", "/credentials"));
  said += text;
  return body[0];
};

const signedIn = (cookie = server.cookie): Browser => {
  const browser = createBrowser();
  browser.keepCookies(server.baseUrl, cookie);
  return browser;
};
/** Signs in at the provider and agrees, up to the address that it sends the browser back to. */
const agree = async (browser: Browser, connectUrl: string): Promise<Page> => {
  const login = await browser.open(connectUrl);
  const consent = await browser.submit(login, { prompt: "login", login: "ada", password: "x" });
  return browser.submit(consent, { prompt: "consent" });
};
const connect = async (oauth2: object = {}) => {
  const { body } = expectStatus(201, await keepWeb(oauth2));
  const page = await agree(signedIn(), body.connectUrl);
  if (page.status !== 200) throw new Error(page.text);
  return page;
};

describe("a connection that acts for itself", () => {
  test("gets its token at once and gives it to the API", async () => {
    const { body } = expectStatus(201, await keepMachine());
    createdCredential.parse(body);
    expect(body).toMatchObject({ kind: "oauth2", status: "ready", scopes: ["api:read"] });
    expect(Date.parse(body.expiresAt) - Date.now()).toBeGreaterThan(3_000_000);
    const ran = await run();
    expect(ran.body.output).toEqual({
      status: 200,
      text: "hello machine, you sent Bearer [redacted SERVICE_TOKEN]",
    });
    expect(provider.grants).toEqual(["client_credentials"]);
  });

  test("is refused at once when its secret is wrong", async () => {
    const refused = await keepMachine({ clientSecret: "not the secret" });
    expectProblem(refused, "connection_failed");
    expect(refused.body.detail).toBe(`${provider.host} refused it: invalid_client.`);
    expect(await listed()).toBeUndefined();
  });
});

describe("a connection of a person", () => {
  test("is of use once they agreed in their browser", async () => {
    const created = expectStatus(201, await keepWeb());
    createdCredential.parse(created.body);
    expect(created.body).toMatchObject({ kind: "oauth2", status: "awaiting_consent" });
    const before = await run();
    expectProblem(before, "credentials_missing");
    const page = await agree(signedIn(), created.body.connectUrl);
    expect([page.status, page.text]).toEqual([200, expect.stringContaining("You may close this")]);
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(page.text).not.toContain("<script");
    expect(await listed()).toMatchObject({ status: "ready", scopes: ["api:read"] });
    expect((await run()).body.output.text).toBe(
      "hello web, you sent Bearer [redacted SERVICE_TOKEN]",
    );
  });
});
