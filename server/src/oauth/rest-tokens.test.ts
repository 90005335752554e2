import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  allow,
  askToken,
  authorizeUrl,
  createBrowser,
  makePkce,
  reachConsent,
  redirectUri,
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
async function connect(resource: string, scope: string[]) {
  const { clientId } = await registerClient(test);
  const { verifier, challenge } = makePkce();
  const url = authorizeUrl(test, { clientId, challenge, resource, scope: scope.join(" ") });
  const back = await allow(createBrowser(test), url, test.person, { scope });
  const { body } = await askToken(test, {
    grant_type: "authorization_code",
    client_id: clientId,
    code: back.searchParams.get("code") ?? "",
    code_verifier: verifier,
    redirect_uri: redirectUri,
  });
  return { clientId, token: body.access_token };
}

const as = (token: string) => ({ authorization: `Bearer ${token}` });

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
    const mcp = await fetch(mcpResource(), {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json", ...as(token) },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    });
    expect(mcp.status).toBe(401);
  });

  it("ends with the connection of the app", async () => {
    const { token, clientId } = await connect(restResource(), ["mcp:read"]);
    const { body } = await test.callAsOwner("GET", "/connected-apps?limit=200");
    const app = (body as { id: string; clientId: string }[]).find(
      (one) => one.clientId === clientId,
    );
    await test.callAsOwner("DELETE", `/connected-apps/${app?.id}`);
    expect((await test.call("GET", "/me", undefined, as(token))).status).toBe(401);
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
