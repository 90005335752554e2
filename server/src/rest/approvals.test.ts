import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { toolApprovals } from "@toolhost/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

let received: string[] = [];
const upstream = createServer((request, response) => {
  received.push(String(request.headers["x-key"]));
  response.end("ok");
});

let test: TestService;
let host: string;
let owner: ReturnType<typeof callWith>;
let builder: ReturnType<typeof callWith>;
let member: ReturnType<typeof callWith>;
let reader: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => {
    upstream.listen(0, "127.0.0.1", resolve);
  });
  const { port } = upstream.address() as AddressInfo;
  host = `http://127.0.0.1:${port}`;
  test = await startTestService({
    EGRESS_PRIVATE_HOSTS: `127.0.0.1:${port}`,
    WORKSPACE_MAX_CONCURRENT_RUNS: "1",
  });
  owner = callWith(test.apiKey);
  builder = callWith((await test.addPerson(test.workspaceId, "builder")).apiKey);
  member = callWith((await test.addPerson(test.workspaceId, "member")).apiKey);
  const scopes = ["mcp:read", "mcp:execute", "tools:write"];
  const key = await test.callAsOwner("POST", "/api-keys", { name: "No credentials", scopes });
  reader = String(key.body.key);
  await keep(owner, "SHARED_KEY", "of-the-workspace", "workspace");
  await keep(member, "OWN_KEY", "of-the-member", "user");
});
afterAll(async () => {
  await test.stop();
  upstream.closeAllConnections();
  upstream.close();
});
beforeEach(() => {
  received = [];
});

function callWith(apiKey: string) {
  return (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    test.call(method, path, body, { authorization: `Bearer ${apiKey}`, ...headers });
}

type Call = ReturnType<typeof callWith>;

async function keep(call: Call, name: string, value: string, whose: string): Promise<void> {
  const { status, text } = await call("POST", "/credentials", {
    name,
    value,
    owner: whose,
    hosts: [host],
  });
  if (status !== 201) throw new Error(text);
}

const code = (name: string) =>
  `export default async ({ url }, ctx) => {
    await fetch(url, { headers: { "x-key": ctx.credentials.${name} } });
    return {};
  };`;

const make = (name: string) =>
  test.makeTool(code(name), { allowedHosts: [host], credentials: [{ name, hosts: [host] }] });

const run = (call: Call, tool: string) => call("POST", `/run/${tool}`, { url: host });

const approve = async (call: Call, tool: string, version = 1) => {
  const { status, text } = await call("POST", `/tools/${tool}/approvals`, { version });
  if (status !== 200) throw new Error(text);
};

const widen = (call: Call, tool: string, more: object = {}) =>
  call("PATCH", `/tools/${tool}`, { allowedHosts: [host, "collector.example.com"], ...more });

const events = async (tool: string, action: string) =>
  (await test.call("GET", `/audit-events?target=${tool}&action=${action}`)).body.map(
    ({ details }: { details: object }) => details,
  );

describe("new version that adds a host", () => {
  it("gets the credentials of the workspace only after an owner or admin approves it", async () => {
    const tool = await make("SHARED_KEY");
    expect((await run(member, tool)).body.status).toBe("completed");
    expect((await widen(builder, tool)).status).toBe(200);
    received = [];
    const refused = await run(member, tool);
    expect([refused.status, refused.body.code]).toEqual([422, "credentials_missing"]);
    expect(refused.body.missing).toEqual([
      {
        name: "SHARED_KEY",
        reason: "not_approved",
        owner: "workspace",
        new: { credentials: [], allowedHosts: ["collector.example.com"] },
        connectUrl: `${test.baseUrl}/tools/${tool}?approve=2&owner=workspace&workspace=${test.workspaceId}`,
      },
    ]);
    expect(refused.body.detail).toContain(
      "requests more than was approved: access to collector.example.com",
    );
    expect((await run(owner, tool)).status).toBe(422);
    expect(received).toEqual([]);

    const request = { version: 2, owner: "workspace" };
    const path = `/tools/${tool}/approvals`;
    for (const call of [builder, member]) {
      expect((await call("POST", path, request)).body.code).toBe("forbidden");
      expect((await call("DELETE", `${path}?owner=workspace`)).body.code).toBe("forbidden");
    }
    const approved = await test.call("POST", path, request);
    expect(approved.status).toBe(200);
    expect(toolApprovals.parse(approved.body).approvals[1]).toMatchObject({
      owner: "workspace",
      covered: true,
      version: 2,
      how: "request",
    });
    expect((await test.call("GET", path)).body).toEqual({
      ...approved.body,
      alwaysAllowed: null,
      missing: [],
    });
    expect((await run(member, tool)).body.status).toBe("completed");
    expect(await events(tool, "tool.approve")).toMatchObject([
      { version: 2, owner: "workspace", how: "request" },
      { version: 1, owner: "user workspace", how: "save" },
    ]);
  });

  it("is approved when an owner or admin saves it with a key that has credentials:write", async () => {
    const tool = await make("SHARED_KEY");
    expect((await widen(callWith(reader), tool)).status).toBe(200);
    expect((await run(member, tool)).status).toBe(422);
    expect((await widen(owner, tool, { title: "Looked at" })).status).toBe(200);
    expect((await run(member, tool)).body.status).toBe("completed");
  });

  it("gets the credentials of a user only after that user approves it, regardless of who saved it", async () => {
    const tool = await make("OWN_KEY");
    expect((await run(member, tool)).body.missing).toMatchObject([
      { name: "OWN_KEY", reason: "not_approved", owner: "user" },
    ]);
    await approve(member, tool);
    expect((await run(member, tool)).body.status).toBe("completed");
    expect(await events(tool, "tool.approve")).toMatchObject([
      { version: 1, owner: "user", how: "request", credentials: "OWN_KEY" },
      { how: "save" },
    ]);
    await widen(owner, tool);
    const refused = await run(member, tool);
    expect(refused.body.missing).toMatchObject([{ name: "OWN_KEY", owner: "user" }]);
    const path = `/tools/${tool}/approvals`;
    const seen = await member("GET", path);
    expect(seen.body.approvals[0]).toMatchObject({
      covered: false,
      version: 1,
      how: "request",
      new: { credentials: [], allowedHosts: ["collector.example.com"] },
    });
    await test.call("PATCH", `/tools/${tool}`, { title: "Changed meanwhile" });
    const late = await member("POST", path, { version: seen.body.version });
    expect([late.status, late.body.code]).toEqual([409, "version_not_live"]);
    expect((await run(member, tool)).status).toBe(422);
    expect((await member("POST", path, { version: 3 })).status).toBe(200);
    expect((await run(member, tool)).body.status).toBe("completed");
  });

  it("is not approved by restoring an old version", async () => {
    const tool = await make("SHARED_KEY");
    await widen(owner, tool);
    await test.call("PATCH", `/tools/${tool}`, { allowedHosts: [host] });
    await test.call("DELETE", `/tools/${tool}/approvals?owner=workspace`);
    await test.call("POST", `/tools/${tool}/approvals`, { version: 3, owner: "workspace" });
    expect((await run(member, tool)).body.status).toBe("completed");
    await builder("POST", `/tools/${tool}/versions/2/restore`);
    expect((await run(member, tool)).status).toBe(422);
    await test.call("POST", `/tools/${tool}/versions/2/restore`);
    expect((await run(member, tool)).status).toBe(422);
  });
});

describe("credentials_missing error", () => {
  const missingOf = async (name: string) => {
    const response = await fetch(`${test.baseUrl}/api/mcp`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${test.apiKey}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name, arguments: { url: host } },
      }),
    });
    const text = await response.text();
    const { content, _meta: meta } = JSON.parse(text.replace(/^[\s\S]*?data: /, "")).result;
    return { said: content[0].text, ...meta["toolhost/failure"] };
  };

  it("names the new access over REST and MCP, or the withdrawn approval", async () => {
    const tool = await make("SHARED_KEY");
    const credentials = [
      { name: "SHARED_KEY", hosts: [host], expose: true },
      { name: "OWNERS_KEY", hosts: [host] },
    ];
    await keep(owner, "OWNERS_KEY", "of-the-owner", "user");
    await widen(builder, tool, { credentials });
    const refused = await run(owner, tool);
    const asked = `OWNERS_KEY for ${host}; the value of SHARED_KEY; access to collector.example.com`;
    expect(refused.body.detail).toContain(`more than was approved: ${asked}.`);
    const { said, missing } = await missingOf(tool);
    expect(said).toContain(asked);
    expect(missing).toEqual(refused.body.missing);
    expect(missing).toContainEqual(
      expect.objectContaining({
        name: "SHARED_KEY",
        owner: "workspace",
        new: {
          credentials: [
            { name: "SHARED_KEY", hosts: [], expose: true },
            { name: "OWNERS_KEY", hosts: [host], expose: false },
          ],
          allowedHosts: ["collector.example.com"],
        },
      }),
    );
    for (const whose of ["user", "workspace"]) {
      await test.call("DELETE", `/tools/${tool}/approvals?owner=${whose}`);
    }
    expect((await run(owner, tool)).body.detail).toContain(`approval of ${tool} was withdrawn`);
  });
});

describe("tool that needs credentials of a user and of the workspace", () => {
  const both = () => [
    { name: "OWN_KEY", hosts: [host] },
    { name: "SHARED_KEY", hosts: [host] },
  ];
  const makeWith = async (credentials: object[]) => {
    const made = await builder("POST", "/tools", {
      title: "Two keys",
      description: "Needs two keys.",
      inputSchema: { type: "object" },
      allowedHosts: [host],
      credentials,
      source: { language: "javascript", code: code("OWN_KEY") },
    });
    return String(made.body.name);
  };

  it("requests from each owner only the access that they have not approved yet", async () => {
    const tool = await makeWith(both());
    await approve(member, tool);
    const refused = await run(member, tool);
    expect(refused.body.missing).toMatchObject([
      {
        name: "SHARED_KEY",
        new: { credentials: [{ name: "SHARED_KEY" }], allowedHosts: [host] },
      },
    ]);
    expect(refused.body.detail).toContain("needs approval.");
    expect(refused.body.detail).not.toContain("more than was approved");
    const request = { version: 1, owner: "workspace" };
    expect((await test.call("POST", `/tools/${tool}/approvals`, request)).status).toBe(200);
    expect((await run(member, tool)).body.status).toBe("completed");
  });

  it("leaves the approval of one owner when the other approves the additions of a version", async () => {
    const tool = await makeWith([{ name: "OWN_KEY", hosts: [host] }]);
    await approve(member, tool);
    expect((await run(member, tool)).body.status).toBe("completed");
    await builder("PATCH", `/tools/${tool}`, { credentials: both() });
    const { detail } = (await run(member, tool)).body;
    expect(detail).toContain(`more than was approved: SHARED_KEY for ${host}.`);
    expect(detail).toContain("needs approval. It requests: SHARED_KEY");
    const request = { version: 2, owner: "workspace" };
    expect((await test.call("POST", `/tools/${tool}/approvals`, request)).status).toBe(200);
    expect((await run(member, tool)).body.status).toBe("completed");
    await keep(member, "SHARED_KEY", "also-of-the-member", "user");
    const { missing } = (await run(member, tool)).body;
    await member("DELETE", "/credentials/SHARED_KEY");
    const asked = { owner: "user", new: { credentials: [{ name: "SHARED_KEY" }] } };
    expect(missing).toHaveLength(2);
    expect(missing).toMatchObject([asked, asked]);
  });
});

describe("new version that needs the same or less", () => {
  it("needs no approval", async () => {
    const tool = await make("SHARED_KEY");
    await builder("PATCH", `/tools/${tool}`, { title: "Another title" });
    expect((await run(member, tool)).body.status).toBe("completed");
  });
});

describe("tool of a user who cannot approve for the workspace", () => {
  it("gets the credentials of the workspace only after an admin approves it", async () => {
    const made = await builder("POST", "/tools", {
      title: "Of a builder",
      description: "Needs the shared key.",
      inputSchema: { type: "object" },
      allowedHosts: [host],
      credentials: [{ name: "SHARED_KEY" }],
      source: { language: "javascript", code: code("SHARED_KEY") },
    });
    const tool = String(made.body.name);
    const refused = await run(builder, tool);
    expect(refused.body.missing[0]).toMatchObject({
      reason: "not_approved",
      new: { credentials: [{ name: "SHARED_KEY", hosts: ["*"], expose: false }] },
    });
    await test.call("POST", `/tools/${tool}/approvals`, { version: 1, owner: "workspace" });
    expect((await run(builder, tool)).body.status).toBe("completed");
  });
});

describe("DELETE /tools/{name}/approvals", () => {
  it("withdraws the approval, which running the tool does not restore", async () => {
    const tool = await make("OWN_KEY");
    const path = `/tools/${tool}/approvals`;
    expect((await member("DELETE", path)).status).toBe(404);
    await approve(member, tool);
    expect((await member("DELETE", path)).status).toBe(204);
    expect((await member("DELETE", path)).status).toBe(404);
    received = [];
    for (let time = 0; time < 2; time++) {
      const refused = await run(member, tool);
      expect(refused.body.missing).toMatchObject([{ name: "OWN_KEY", reason: "not_approved" }]);
    }
    expect(received).toEqual([]);
    expect((await member("GET", path)).body.approvals[0]).toMatchObject({
      covered: false,
      how: "withdrawn",
    });
    expect(await events(tool, "tool.approval_withdraw")).toEqual([{ owner: "user" }]);
    await member("POST", path, { version: 1 });
    expect((await run(member, tool)).body.status).toBe("completed");
  });
});

describe("installed public tool", () => {
  it("gets credentials of the workspace that installed it after its owners or admins approve", async () => {
    const id = await test.addWorkspace();
    const admin = callWith((await test.addPerson(id, "admin")).apiKey);
    const guest = callWith((await test.addPerson(id, "member")).apiKey);
    await keep(admin, "SHARED_KEY", "of-the-other-workspace", "workspace");
    const tool = await make("SHARED_KEY");
    await test.call("PATCH", `/tools/${tool}`, { visibility: "public" });
    expect((await admin("POST", `/tools/${tool}/install`)).status).toBe(200);
    const path = `/tools/${tool}/approvals`;
    expect((await run(guest, tool)).status).toBe(422);
    expect((await guest("POST", path, { version: 2, owner: "workspace" })).status).toBe(403);
    expect((await admin("POST", path, { version: 2, owner: "workspace" })).status).toBe(200);
    received = [];
    expect((await run(guest, tool)).body.status).toBe("completed");
    expect(received).toEqual(["of-the-other-workspace"]);
    await widen(owner, tool);
    expect((await run(member, tool)).body.status).toBe("completed");
    // The workspace still uses the reviewed version and its approval.
    expect((await run(guest, tool)).body.status).toBe("completed");
    const late = await admin("POST", path, { version: 3, owner: "workspace" });
    expect([late.status, late.body.code]).toEqual([409, "version_not_live"]);
    const accepted = await admin("POST", `/tools/${tool}/install/update`, { version: 3 });
    expect(accepted.status).toBe(200);
    received = [];
    expect((await run(guest, tool)).body.code).toBe("credentials_missing");
    expect(received).toEqual([]);
    expect((await admin("GET", path)).body.approvals[1]).toMatchObject({
      covered: false,
      version: 2,
    });
  });
});

describe("queued run", () => {
  it("gets no credential whose approval was withdrawn before it started", async () => {
    const tool = await make("OWN_KEY");
    await approve(member, tool);
    const slow = await test.makeTool(
      "export default () => new Promise((done) => setTimeout(done, 1_500))",
    );
    const later = (name: string) =>
      member("POST", `/run/${name}`, { url: host }, { prefer: "respond-async" });
    await later(slow);
    const { body } = await later(tool);
    expect(body).toMatchObject({ status: "running", queued: true });
    expect((await member("DELETE", `/tools/${tool}/approvals`)).status).toBe(204);
    await expect
      .poll(async () => (await member("GET", `/runs/${body.runId}`)).body, { timeout: 20_000 })
      .toMatchObject({ status: "failed", credentials: [] });
    const { error } = (await member("GET", `/runs/${body.runId}`)).body;
    expect(error.message).toContain(`approval of ${tool} was withdrawn`);
    expect(received).toEqual([]);
  });
});

describe("tool run by another tool", () => {
  it("gets no credentials of a user who has not approved it", async () => {
    const inner = await make("OWN_KEY");
    const outer = await test.makeTool(
      `export default async ({ url }, ctx) => {
        try { return { output: await ctx.tools.run("${inner}", { url }) }; }
        catch (error) { return { refused: String(error.message) }; }
      };`,
    );
    const { body } = await run(member, outer);
    expect(body.output.refused).toContain("OWN_KEY");
    expect(received).toEqual([]);
    await approve(member, inner);
    expect((await run(member, outer)).body.output.refused).toBeUndefined();
    expect(received).toEqual(["of-the-member"]);
  });
});
