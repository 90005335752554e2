import { createOutbound } from "@toolhost/sandbox";
import type { Outbound } from "@toolhost/sandbox";
import { secureUpstream, testCertificate } from "@toolhost/sandbox/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createClientDocuments } from "#core/identity";
import { createLog } from "#lib/log";
import {
  allow,
  askToken,
  authorizeUrl,
  createBrowser,
  makePkce,
  redirectUri,
  refresh,
} from "#testing/oauth-client";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

type Answer = { status?: number; headers?: Record<string, string>; body: string };

const certificate = testCertificate(["client.test", "inside.test"]);
const answers = new Map<string, Answer>();
const asked: string[] = [];
let test: TestService;
let upstream: Awaited<ReturnType<typeof secureUpstream>>;
let outbound: Outbound;
let given: Outbound["fetch"];

beforeAll(async () => {
  upstream = await secureUpstream(certificate, (request, response) => {
    asked.push(request.url ?? "");
    const {
      status = 200,
      headers = {},
      body,
    } = answers.get(request.url ?? "") ?? {
      status: 404,
      body: "",
    };
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
  });
  outbound = createOutbound({
    privateHosts: [`client.test:${upstream.port}`],
    connectMs: 1_000,
    totalMs: 2_000,
    maxAnswerBytes: 1024 * 1024,
    ca: [certificate.cert],
    lookup: async () => ["127.0.0.1"],
  });
  test = await startTestService();
  given = test.service.context.outbound.fetch;
  test.service.context.outbound.fetch = outbound.fetch;
});
afterAll(async () => {
  test.service.context.outbound.fetch = given;
  await test.stop();
  await outbound.close();
  upstream.close();
});
beforeEach(() => answers.clear());
afterEach(() => asked.splice(0));

const idOf = (path: string, host = "client.test") => `https://${host}:${upstream.port}${path}`;
const describeClient = (path: string, changes: Record<string, unknown> = {}) => {
  const id = idOf(path);
  const document = {
    client_id: id,
    client_name: "Document client",
    client_uri: "https://client.example",
    redirect_uris: ["http://127.0.0.1/callback", "http://localhost/callback"],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
    ...changes,
  };
  answers.set(path, { body: JSON.stringify(document) });
  return id;
};
const tryClient = async (clientId: string) => {
  const { challenge } = makePkce();
  const response = await createBrowser(test).get(authorizeUrl(test, { clientId, challenge }));
  return { status: response.status, location: response.headers.get("location") ?? "" };
};

describe("a client ID metadata document", () => {
  it("completes the flow without a registration", async () => {
    const clientId = describeClient("/client.json", { scope: "openid profile mcp:read" });
    const { verifier, challenge } = makePkce();
    const back = await allow(
      createBrowser(test),
      authorizeUrl(test, { clientId, challenge }),
      test.person,
    );
    const { status, body } = await askToken(test, {
      grant_type: "authorization_code",
      client_id: clientId,
      code: back.searchParams.get("code") ?? "",
      code_verifier: verifier,
      redirect_uri: redirectUri,
    });
    expect(status).toBe(200);
    expect((await refresh(test, clientId, body.refresh_token)).status).toBe(200);
    expect(asked).toEqual(["/client.json"]);
    const { body: apps } = await test.callAsOwner("GET", "/connected-apps");
    expect(apps[0]).toMatchObject({
      clientName: "Document client",
      clientUri: "https://client.example",
    });
  });

  it.for([
    ["is another's", "/other.json", { client_id: "https://other.example/client.json" }],
    ["contains a secret", "/secret.json", { client_secret: "x" }],
    ["leads to a script", "/script.json", { redirect_uris: ["javascript:alert(1)"] }],
    [
      "signs in with a secret",
      "/method.json",
      { token_endpoint_auth_method: "client_secret_post" },
    ],
  ] as const)("is refused when its description %s", async ([, path, changes]) => {
    const { status, location } = await tryClient(describeClient(path, changes));
    expect({ status, location }).toEqual({ status: 400, location: "" });
  });

  it("is rejected if its metadata document redirects, is too large, invalid JSON or missing", async () => {
    describeClient("/real.json");
    answers.set("/away.json", { status: 302, headers: { location: idOf("/real.json") }, body: "" });
    answers.set("/large.json", {
      body: JSON.stringify({ client_id: idOf("/large.json"), x: "x".repeat(70_000) }),
    });
    answers.set("/text.json", { body: "hello" });
    for (const path of ["/away.json", "/large.json", "/text.json", "/none.json"]) {
      expect(await tryClient(idOf(path))).toEqual({ status: 400, location: "" });
    }
    expect(asked).not.toContain("/real.json");
  });

  it("is explained to the user if it cannot be fetched", async () => {
    const { challenge } = makePkce();
    const url = authorizeUrl(test, { clientId: idOf("/none.json"), challenge });
    const page = await (await createBrowser(test).get(url)).text();
    expect(page).toContain("read the document that describes the app");
  });

  it("is neither announced nor fetched with OAUTH_CLIENT_DOCUMENTS=0", async () => {
    const readMetadata = async (baseUrl: string) => {
      const response = await fetch(`${baseUrl}/.well-known/oauth-authorization-server`);
      return (await response.json()) as Record<string, unknown>;
    };
    const name = "client_id_metadata_document_supported";
    expect((await readMetadata(test.baseUrl))[name]).toBe(true);
    const offline = await startTestService({ OAUTH_CLIENT_DOCUMENTS: "0" });
    try {
      const metadata = await readMetadata(offline.baseUrl);
      expect(metadata).not.toHaveProperty(name);
      expect(metadata).toHaveProperty("registration_endpoint");
      offline.service.context.outbound.fetch = outbound.fetch;
      const { challenge } = makePkce();
      const clientId = describeClient("/offline.json");
      const response = await createBrowser(offline).get(
        authorizeUrl(offline, { clientId, challenge }),
      );
      expect([response.status, asked]).toEqual([400, []]);
    } finally {
      await offline.stop();
    }
  });

  it("is rejected at private addresses, at the bare host and over plain http", async () => {
    for (const clientId of [
      idOf("/client.json", "inside.test"),
      `https://127.0.0.1:${upstream.port}/client.json`,
      "https://169.254.169.254/latest/meta-data",
      "https://[::1]/client.json",
      idOf("/"),
      idOf("/client.json").replace("https:", "http:"),
      idOf("/a/../client.json"),
    ]) {
      expect(await tryClient(clientId)).toEqual({ status: 400, location: "" });
    }
    expect(asked).toEqual([]);
  });

  it("uses its last metadata document for a week while its server is down", async () => {
    const { db, clock } = test.service.context;
    const id = describeClient("/kept.json");
    let now = clock.now();
    const documents = createClientDocuments({
      config: test.service.context.config,
      db,
      clock: { now: () => now },
      log: createLog("silent"),
      outbound,
    });
    const read = async () => {
      const response = await documents.fetch(id, { headers: { accept: "application/json" } });
      return response.status === 200 ? ((await response.json()) as object) : response.status;
    };
    const good = await read();
    expect(good).toMatchObject({ client_id: id });
    answers.set("/kept.json", { status: 503, body: "" });
    expect(await read()).toEqual(good);
    answers.delete("/kept.json");
    expect(await read()).toEqual(good);
    now += 8 * 86_400_000;
    await expect(read()).rejects.toThrow("404");
    now = clock.now();
    answers.set("/kept.json", { status: 410, body: "" });
    expect(await read()).toBe(410);
  });
});
