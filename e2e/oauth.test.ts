import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createRequire } from "node:module";
import * as oauth from "oauth4webapi";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { goThroughConsent, hasBrowser, startChromium } from "./src/browser.ts";
import { dialect } from "./src/database.ts";
import { createCall } from "./src/http.ts";
import { proves } from "./src/proves.ts";
import { startSecondNode } from "./src/second-node.ts";
import { expectStatus, startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";
import { endService, findFreePort } from "./src/service-process.ts";
import { tamper } from "./src/tamper.ts";

let server: Server;
let browser: Browser;
// Responds to redirects to an app, so that the browser can finish loading.
const app = createServer((_request, response) => response.end("You may close this window."));
let redirectUri: string;

beforeAll(async () => {
  app.listen(0, "127.0.0.1");
  await once(app, "listening");
  redirectUri = `http://127.0.0.1:${(app.address() as AddressInfo).port}/callback`;
  [server, browser] = await Promise.all([startServer(), startChromium()]);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
  app.close();
});

const insecure = { [oauth.allowInsecureRequests]: true } as const;

/** Connects an app with a generic OAuth library. */
async function connect(scope = "mcp:read mcp:execute") {
  const endpoint = new URL(`${server.baseUrl}/api/mcp`);
  const resource = await oauth.processResourceDiscoveryResponse(
    endpoint,
    await oauth.resourceDiscoveryRequest(endpoint, insecure),
  );
  const issuer = new URL(resource.authorization_servers?.[0] ?? "");
  const as = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { ...insecure, algorithm: "oauth2" }),
  );
  const client = await oauth.processDynamicClientRegistrationResponse(
    await oauth.dynamicClientRegistrationRequest(
      as,
      {
        client_name: "Careful client",
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: "none",
      },
      insecure,
    ),
  );
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const address = new URL(as.authorization_endpoint ?? "");
  address.search = new URLSearchParams({
    client_id: client.client_id,
    redirect_uri: redirectUri,
    response_type: "code",
    scope,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    resource: resource.resource,
  }).toString();
  const back = await goThroughConsent(browser, address.href, { person: server.person });
  const tokens = await oauth.processAuthorizationCodeResponse(
    as,
    client,
    await oauth.authorizationCodeGrantRequest(
      as,
      client,
      oauth.None(),
      oauth.validateAuthResponse(as, client, back, state),
      redirectUri,
      verifier,
      { ...insecure, additionalParameters: { resource: resource.resource } },
    ),
  );
  const refresh = async (token: string) =>
    oauth.processRefreshTokenResponse(
      as,
      client,
      await oauth.refreshTokenGrantRequest(as, client, oauth.None(), token, insecure),
    );
  return { as, client, tokens, refresh };
}

describe.skipIf(!hasBrowser)("an app that follows the standards", () => {
  test(
    "discovers the server, registers, is authorized in a browser, refreshes and is disconnected",
    proves(
      "oauth.metadata",
      "oauth.registration",
      "oauth.pkce",
      "oauth.resource_indicators",
      "oauth.access_token_life",
      "oauth.rotation",
      "connected_apps.routes",
    ),
    async () => {
      const { as, tokens, refresh } = await connect();
      expect(as.code_challenge_methods_supported).toEqual(["S256"]);
      expect(tokens).toMatchObject({ expires_in: 900, scope: "mcp:read mcp:execute" });
      const first = tokens.refresh_token ?? "";
      const renewed = await Promise.all([first, first, first].map(refresh));
      expect(new Set(renewed.map(({ refresh_token: token }) => token)).size).toBe(3);
      const { body: apps } = expectStatus(200, await server.callAsOwner("GET", "/connected-apps"));
      expect(apps[0]).toMatchObject({
        clientName: "Careful client",
        workspaceId: server.workspaceId,
        scopes: ["mcp:read", "mcp:execute"],
      });
      expectStatus(204, await server.callAsOwner("DELETE", `/connected-apps/${apps[0].id}`));
      await expect(refresh(renewed[0]?.refresh_token ?? "")).rejects.toMatchObject({
        error: "invalid_grant",
      });
    },
  );

  test(
    "is rejected after 30 days without use",
    { ...proves("oauth.refresh_token_life"), tags: ["nightly"] },
    async () => {
      const { tokens, refresh } = await connect();
      const nearlyMs = 30 * 86_400_000 - 60_000;
      // Moves the expiry of the newest tokens back, as if the time had passed.
      const age = (ms: number) =>
        tamper(
          server,
          `update oauth_records set expires_at = expires_at - ${ms}
            where model = 'RefreshToken' and expires_at > ${Date.now() + nearlyMs}`,
        );
      expect(await age(nearlyMs)).toBeGreaterThan(0);
      const renewed = await refresh(tokens.refresh_token ?? "");
      // It was used, so the period starts again.
      expect(await age(30 * 86_400_000)).toBe(1);
      const late = refresh(renewed.refresh_token ?? "");
      await expect(late).rejects.toMatchObject({ error: "invalid_grant" });
    },
  );

  test("receives an error when the user declines on the consent page", async () => {
    const { body: client } = await register();
    const address = new URL(`${server.baseUrl}/oauth/authorize`);
    address.search = new URLSearchParams({
      client_id: client.client_id,
      redirect_uri: redirectUri,
      response_type: "code",
      code_challenge: "x".repeat(43),
      code_challenge_method: "S256",
      state: "a state",
    }).toString();
    const back = await goThroughConsent(browser, address.href, {
      person: server.person,
      decision: "Decline",
      look: async (page) => {
        await expect(page.getByRole("heading").textContent()).resolves.toBe("Connect Plain app?");
        const text = (await page.textContent("main")) ?? "";
        expect(text).toContain(new URL(redirectUri).host);
        expect(text).toContain(server.person.email);
        expect(await page.getByRole("checkbox").count()).toBe(2);
        // The page's policy allows its own style.
        const corners = await page.evaluate<string>(
          `getComputedStyle(document.querySelector("main")).borderRadius`,
        );
        expect(corners).toBe("12px");
        if (process.env["SCREENSHOTS"] !== undefined) {
          await page.screenshot({ path: `${process.env["SCREENSHOTS"]}/consent.png` });
        }
      },
    });
    expect(Object.fromEntries(back.searchParams)).toMatchObject({
      error: "access_denied",
      state: "a state",
    });
  });
});

async function register() {
  const response = await fetch(`${server.baseUrl}/oauth/register`, {
    method: "POST",
    body: JSON.stringify({
      client_name: "Plain app",
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: "none",
    }),
  });
  return { body: (await response.json()) as { client_id: string } };
}

test.skipIf(!hasBrowser)("passes the official suite for authorization servers", async () => {
  const { body: client } = await register();
  const { port } = new URL(redirectUri);
  // The suite listens on the redirect URI.
  await new Promise((resolve) => {
    app.close(resolve);
    // Browsers open connections in advance, which would block the port for a minute.
    app.closeAllConnections();
  });
  try {
    const { output, exitCode } = await runSuite(client.client_id, port);
    expect(output).toContain("3 passed, 0 failed");
    expect(exitCode).toBe(0);
  } finally {
    app.listen(Number(port), "127.0.0.1");
  }
});

async function runSuite(clientId: string, port: string) {
  const require = createRequire(import.meta.url);
  const main = require.resolve("@modelcontextprotocol/conformance/dist/index.js");
  const resource = `${server.baseUrl}/api/mcp`;
  const options = ["--url", server.baseUrl, "--client-id", clientId, "--resource", resource];
  const suite = spawn(process.execPath, [main, "authorization", ...options, "-p", port], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  let consent: Promise<URL> | undefined;
  for (const stream of [suite.stdout, suite.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      const address = /^(http\S+\/oauth\/authorize\?\S+)\n/m.exec(output)?.[1];
      if (address !== undefined)
        consent ??= goThroughConsent(browser, address, { person: server.person });
    });
  }
  const [exitCode] = (await once(suite, "exit")) as [number];
  await consent;
  return { output, exitCode };
}

describe.skipIf(dialect !== "postgres" || !hasBrowser)("three nodes", () => {
  test(
    "accepts an app on all nodes, and on none after it is disconnected on one",
    proves("oauth.revocation", "start.nodes"),
    async () => {
      const others = await Promise.all([startNode("second"), startNode("third")]);
      try {
        const addresses = [server.baseUrl, ...others.map(({ address }) => address)];
        const { tokens, refresh } = await connect();
        const statuses = () =>
          Promise.all(addresses.map((address) => callMcp(address, tokens.access_token)));
        expect(await statuses()).toEqual([200, 200, 200]);
        const call = createCall(
          () => others[0]?.address ?? "",
          () => ({ cookie: server.cookie }),
        );
        const { body: apps } = expectStatus(200, await call("GET", "/connected-apps"));
        expectStatus(204, await call("DELETE", `/connected-apps/${apps[0].id}`));
        expect(await statuses()).toEqual([401, 401, 401]);
        await expect(refresh(tokens.refresh_token ?? "")).rejects.toMatchObject({
          error: "invalid_grant",
        });
      } finally {
        await Promise.all(others.map(({ service }) => endService(service, "SIGTERM")));
      }
    },
  );
});

/** Another node with the public URL of the first. */
async function startNode(name: string) {
  const port = await findFreePort();
  const settings = { name, PORT: String(port), BASE_URL: server.baseUrl };
  const service = await startSecondNode(server, settings);
  return { service, address: `http://localhost:${port}` };
}

async function callMcp(address: string, token: string): Promise<number> {
  const response = await fetch(`${address}/api/mcp`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }),
  });
  await response.text();
  return response.status;
}
