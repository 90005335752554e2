import { createServer } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

let api: { url: string; received: { url: string; authorization?: string }[]; close(): void };
let test: TestService;
beforeAll(async () => {
  const received: (typeof api)["received"] = [];
  const http = createServer(({ url = "", headers }, response) => {
    const { authorization } = headers;
    received.push({ url, ...(authorization === undefined ? {} : { authorization }) });
    response.writeHead(200, { "content-type": "application/json" }).end('{"name":"Ada"}');
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const address = http.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const host = `127.0.0.1:${address.port}`;
  api = { url: `http://${host}`, received, close: () => http.close() };
  test = await startTestService({ EGRESS_PRIVATE_HOSTS: host });
});
afterAll(async () => {
  await test.stop();
  api.close();
});

const request = () => ({
  title: "Get users",
  method: "GET",
  server: api.url,
  path: "/users/{userId}",
  fields: [
    { from: "input", in: "path", name: "userId", sample: "42" },
    {
      from: "credential",
      in: "header",
      name: "authorization",
      prefix: "Bearer ",
      credential: "USERS_TOKEN",
    },
  ],
});

describe("POST /drafts/from-request", () => {
  it("returns 201 with a draft that can be published and run with the credential", async () => {
    const made = await test.call("POST", "/drafts/from-request", request());
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ title: "Get users", toolName: null, notes: [] });
    expect(made.headers.get("location")).toContain(`/api/v1/drafts/${made.body.id}`);
    const { id, revision } = made.body;
    const value = "the-secret-of-users";
    const hosts = [api.url];
    await test.call("POST", "/credentials", { name: "USERS_TOKEN", value, hosts });
    const published = await test.call("POST", `/drafts/${id}/publish`, { revision });
    expect(published.status).toBe(201);
    const ran = await test.call("POST", `/run/${published.body.name}`, { userId: "7" });
    expect(ran.body).toMatchObject({ status: "completed" });
    expect(JSON.stringify(ran.body.output)).toContain("Ada");
    expect(api.received).toEqual([{ url: "/users/7", authorization: `Bearer ${value}` }]);
  });

  it("returns 400 for a private host, and names the setting that allows it", async () => {
    const refused = await test.call("POST", "/drafts/from-request", {
      ...request(),
      server: "https://10.0.0.1",
    });
    expect(refused.status).toBe(400);
    expect(refused.body.detail.split("EGRESS_PRIVATE_HOSTS")).toHaveLength(2);
    expect(refused.body.errors).toMatchObject([{ path: "/server" }]);
  });

  it.each([
    ["a path with an unknown placeholder", { path: "/users/{other}" }],
    ["a server with a login", { server: "https://ada:secret@api.example.com" }],
  ])("returns 400 for %s", async (_, part) => {
    const refused = await test.call("POST", "/drafts/from-request", { ...request(), ...part });
    expect(refused).toMatchObject({ status: 400, body: { code: "invalid_request" } });
    expect(JSON.stringify(refused.body)).not.toContain("secret@");
  });
});

describe("GET /server-check", () => {
  const check = async (server: string) => {
    const answer = await test.call("GET", `/server-check?server=${encodeURIComponent(server)}`);
    expect(answer.status).toBe(200);
    return answer.body.reason as string | null;
  };

  it.each([
    ["https://10.0.0.1", "it is a private address"],
    ["http://127.0.0.1:1", "it is an address of this machine"],
    ["https://billing", "it is a name of a private network"],
    ["https://billing.corp:8443", "it is a name of a private network"],
    ["http://api.example.com", "HTTPS is required"],
  ])("returns the reason and the setting for %s", async (server, reason) => {
    const given = await check(server);
    expect(given).toContain(reason);
    expect(given?.split("EGRESS_PRIVATE_HOSTS")).toHaveLength(2);
  });

  it("returns no reason for a host that the operator allowed, and for names of public DNS", async () => {
    expect(await check(api.url)).toBeNull();
    expect(await check("https://api.example.com")).toBeNull();
  });

  it("returns 400 for anything but the URL of a web server", async () => {
    const refused = await test.call("GET", "/server-check?server=ftp%3A%2F%2Fexample.com");
    expect(refused).toMatchObject({ status: 400, body: { code: "invalid_request" } });
  });
});
