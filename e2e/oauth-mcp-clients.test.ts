import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  Client as NewClient,
  StreamableHTTPClientTransport as NewTransport,
} from "@modelcontextprotocol/client";
import type { OAuthClientProvider } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { goThroughConsent, hasBrowser, startChromium } from "./src/browser.ts";
import { proves } from "./src/proves.ts";
import { expectStatus, startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";

let server: Server;
let browser: Browser;
let workspaces: { id: string; name: string }[];
const app = createServer((_request, response) => response.end("You may close this window."));
let redirectUrl: string;

beforeAll(async () => {
  app.listen(0, "127.0.0.1");
  await once(app, "listening");
  redirectUrl = `http://127.0.0.1:${(app.address() as AddressInfo).port}/callback`;
  [server, browser] = await Promise.all([startServer(), startChromium()]);
  const { body } = expectStatus(
    201,
    await server.callAsOwner("POST", "/workspaces", { name: "Second" }, inWorkspace(server)),
  );
  workspaces = [
    { id: server.workspaceId, name: "Local" },
    { id: String(body.id), name: "Second" },
  ];
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
  app.close();
});

const inWorkspace = ({ workspaceId }: { workspaceId: string }) => ({
  "x-workspace-id": workspaceId,
});

type StoredState = {
  client?: unknown;
  tokens?: Tokens;
  verifier?: string;
  discovered?: unknown;
  back?: URL;
};

/** A client's stored OAuth state, and its authorization in the browser. */
function createProvider(workspace: string) {
  const stored: StoredState = {};
  const provider = {
    redirectUrl,
    clientMetadata: {
      client_name: "A client of another maker",
      redirect_uris: [redirectUrl],
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
    },
    state: () => "a state of the client",
    clientInformation: () => stored.client,
    saveClientInformation: (client: unknown) => {
      stored.client = client;
    },
    tokens: () => stored.tokens,
    saveTokens: (tokens: Tokens) => {
      stored.tokens = tokens;
    },
    saveCodeVerifier: (verifier: string) => {
      stored.verifier = verifier;
    },
    codeVerifier: () => stored.verifier ?? "",
    saveDiscoveryState: (discovered: unknown) => {
      stored.discovered = discovered;
    },
    discoveryState: () => stored.discovered,
    redirectToAuthorization: async (address: URL) => {
      const { person } = server;
      stored.back = await goThroughConsent(browser, address.href, { person, workspace });
    },
  };
  return { provider: provider as unknown as OAuthClientProvider, stored };
}

type Tokens = { access_token: string; refresh_token?: string; token_type: string };

/** Connects, authorizes in the browser, and connects again with the code. */
async function connect(kind: "new" | "old", path: string, workspace: string) {
  const { provider, stored } = createProvider(workspace);
  const address = new URL(`${server.baseUrl}${path}`);
  const info = { name: "test", version: "1" };
  const make = () =>
    kind === "new"
      ? ([new NewClient(info), new NewTransport(address, { authProvider: provider })] as const)
      : ([new OldClient(info), new OldTransport(address, { authProvider: provider })] as const);
  const [first, firstTransport] = make();
  await expect(first.connect(firstTransport)).rejects.toThrow(/unauthori[sz]ed/i);
  const parameters = stored.back?.searchParams ?? new URLSearchParams();
  const code = kind === "new" ? parameters : (parameters.get("code") ?? "");
  await firstTransport.finishAuth(code as never);
  const [client, transport] = make();
  await client.connect(transport);
  return { client: client as NewClient, stored };
}

const search = { name: "service_search_tools", arguments: {} };

const makers = [
  ["the TypeScript client", "new"],
  ["the SDK before it", "old"],
] as const;

describe.skipIf(!hasBrowser).each(makers)("%s", (_, kind) => {
  // The tests below sign in at the usual address.
  test.each(kind === "new" ? ["/mcp", "/"] : ["/mcp"])(
    "signs in by its own means at %s",
    proves("oauth.consent", "oauth.registration", "oauth.pkce"),
    async (path) => {
      const { client, stored } = await connect(kind, path, "Local");
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toContain("service_execute_tool");
      expect(stored.tokens?.access_token).toBeTruthy();
      await client.close();
    },
  );

  test(
    "uses the selected workspace, refreshes its tokens, and stops when disconnected",
    proves("oauth.consent", "oauth.revocation", "audit.actor_grant"),
    async () => {
      const call = await server.callAsOwner(
        "POST",
        "/tools",
        {
          title: "Of the second workspace",
          description: "Answers where it is.",
          inputSchema: { type: "object" },
          source: { language: "typescript", code: "export default () => ({ here: 2 })" },
        },
        inWorkspace({ workspaceId: workspaces[1]?.id ?? "" }),
      );
      const tool = String(expectStatus(201, call).body.name);
      const { client, stored } = await connect(kind, "/api/mcp", "Second");
      const listed = await client.callTool(search);
      expect(JSON.stringify(listed)).toContain(tool);
      expect(JSON.stringify(listed)).not.toContain("text_statistics");
      if (stored.tokens !== undefined) stored.tokens.access_token = "expired";
      const run = await client.callTool({
        name: "service_execute_tool",
        arguments: { tool_name: tool, arguments: {} },
      });
      expect(run.structuredContent).toMatchObject({ status: "completed", output: { here: 2 } });
      expect(stored.tokens?.access_token).not.toBe("expired");

      const second = inWorkspace({ workspaceId: workspaces[1]?.id ?? "" });
      const { body: apps } = await server.callAsOwner("GET", "/connected-apps", undefined, second);
      expect(apps[0]).toMatchObject({ workspaceId: workspaces[1]?.id });
      const { body: events } = await server.callAsOwner(
        "GET",
        "/audit-events?action=run.create",
        undefined,
        second,
      );
      expect(events[0]).toMatchObject({ via: "mcp", actor: { grantId: apps[0].id } });
      expectStatus(
        204,
        await server.callAsOwner("DELETE", `/connected-apps/${apps[0].id}`, undefined, second),
      );
      const refused = await fetch(`${server.baseUrl}/api/mcp`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${stored.tokens?.access_token}`,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
      });
      expect(refused.status).toBe(401);
      expect(refused.headers.get("www-authenticate")).toContain("invalid_token");
      await client.close();
    },
  );
});
