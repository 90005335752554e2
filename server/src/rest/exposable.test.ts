import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

let received: string[] = [];
const upstream = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("error", () => {});
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("close", () => {
    received.push(
      `${request.url} ${JSON.stringify(request.headers)} ${Buffer.concat(chunks).toString()}`,
    );
  });
  request.on("end", () => response.end("ok"));
});

const secret = "sk-live-exposed-0123456789";
let test: TestService;
/** The host of the credential, and another host that the tool declares. */
let own: string;
let other: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => {
    upstream.listen(0, "127.0.0.1", resolve);
  });
  const { port } = upstream.address() as AddressInfo;
  own = `http://127.0.0.1:${port}`;
  other = `http://localhost:${port}`;
  test = await startTestService({
    EGRESS_PRIVATE_HOSTS: `127.0.0.1:${port},localhost:${port}`,
  });
});
afterAll(async () => {
  await test.stop();
  upstream.closeAllConnections();
  upstream.close();
});
beforeEach(async () => {
  received = [];
  await test.call("DELETE", "/credentials/SEEN_KEY");
});

const keep = async (more: object = {}) => {
  const draft = { name: "SEEN_KEY", value: secret, hosts: [own], ...more };
  const { status, body, text } = await test.call("POST", "/credentials", draft);
  if (status !== 201) throw new Error(text);
  return body;
};
const declares = () => ({
  allowedHosts: [own, other],
  credentials: [{ name: "SEEN_KEY", description: "", hosts: [own], expose: true }],
});
const make = (code: string) => test.makeTool(code, declares());
const isExposed = "export default (_, ctx) => ({ length: ctx.credentials.SEEN_KEY.length })";
const run = (tool: string, input: object = {}) => test.call("POST", `/run/${tool}`, input);
const change = (body: object) => test.call("PUT", "/credentials/SEEN_KEY", body);

describe("exposable credential", () => {
  it("is readable by tools only while its owner allows it", async () => {
    expect((await keep()).exposable).toBe(false);
    const tool = await make(isExposed);
    const refused = await run(tool);
    expect([refused.status, refused.body.code]).toEqual([422, "credentials_missing"]);
    expect(refused.body.missing).toEqual([
      {
        name: "SEEN_KEY",
        reason: "not_exposable",
        owner: "user",
        connectUrl: `${test.baseUrl}/credentials?expose=SEEN_KEY&owner=user&workspace=${test.workspaceId}`,
      },
    ]);
    const allowed = await change({ exposable: true });
    expect(allowed.body).toMatchObject({ exposable: true, hosts: [own] });
    expect((await test.call("GET", "/credentials")).body).toMatchObject([{ exposable: true }]);
    expect((await run(tool)).body.output).toEqual({ length: secret.length });
    expect((await change({ exposable: false })).body.exposable).toBe(false);
    expect((await run(tool)).body.missing).toMatchObject([{ reason: "not_exposable" }]);
    const events = await test.call("GET", "/audit-events?action=credential.replace&limit=2");
    expect(events.body).toMatchObject([
      { details: { exposable: false } },
      { details: { exposable: true } },
    ]);
  });

  it("retains its value when other fields change", async () => {
    await keep({ exposable: true });
    expect((await change({})).status).toBe(400);
    expect((await change({ hosts: [own, "api.example.com"] })).status).toBe(200);
    const tool = await make(
      `export default async ({ url }, ctx) => {
        await fetch(url, { headers: { "x-key": ctx.credentials.SEEN_KEY } });
        return {};
      }`,
    );
    expect((await run(tool, { url: own })).body.status).toBe("completed");
    expect(received[0]).toContain(secret);
  });

  it("is readable only by code that its owner approved or wrote", async () => {
    await keep({ exposable: true });
    const tool = await make(isExposed);
    const { apiKey } = await test.addPerson(test.workspaceId, "builder");
    const asColleague = { authorization: `Bearer ${apiKey}` };
    const patch = (body: object, headers?: Record<string, string>) =>
      test.call("PATCH", `/tools/${tool}`, body, headers);
    const prints = (mark: string) => ({
      source: {
        language: "javascript",
        code: `export default (_, ctx) => ({ ${mark}: [...ctx.credentials.SEEN_KEY].toReversed().join("") })`,
      },
    });
    expect((await patch({ title: "Renamed" }, asColleague)).status).toBe(200);
    expect((await run(tool)).body.output).toEqual({ length: secret.length });
    expect((await patch(prints("a"), asColleague)).status).toBe(200);
    const refused = await run(tool);
    expect(refused.body.missing).toMatchObject([
      {
        reason: "not_approved",
        new: { credentials: [{ name: "SEEN_KEY", hosts: [], expose: true }], allowedHosts: [] },
      },
    ]);
    // Changing only the title does not make its user the author of the code.
    expect((await patch({ title: "Renamed again" })).status).toBe(200);
    expect((await run(tool)).status).toBe(422);
    const approvals = await test.call("GET", `/tools/${tool}/approvals`);
    expect(approvals.body.approvals[0]).toMatchObject({ owner: "user", covered: false });
    const request = { version: 4, owner: "user" };
    const approved = await test.call("POST", `/tools/${tool}/approvals`, request);
    expect(approved.body.approvals[0]).toMatchObject({ owner: "user", covered: true });
    expect((await run(tool)).body.status).toBe("completed");
    expect((await patch(prints("b"))).status).toBe(200);
    expect((await run(tool)).body.output).toHaveProperty("b");
  });

  it("is never readable by a tool of another workspace", async () => {
    await keep({ exposable: true });
    const { apiKey } = await test.addPerson(await test.addWorkspace(), "owner");
    const author = { authorization: `Bearer ${apiKey}` };
    const definition = {
      title: "Foreign",
      description: "Looks at the key.",
      inputSchema: { type: "object" },
      source: { language: "javascript", code: isExposed },
      ...declares(),
    };
    const direct = { ...definition, visibility: "public" };
    const refused = await test.call("POST", "/tools", direct, author);
    expect(refused.body).toMatchObject({
      code: "invalid_tool",
      errors: [{ path: "/credentials/0/expose" }],
    });
    const made = await test.call("POST", "/tools", definition, author);
    const tool = String(made.body.name);
    const publish = await test.call("PATCH", `/tools/${tool}`, { visibility: "public" }, author);
    expect(publish.body.code).toBe("invalid_tool");
    // A version that was published before the rule existed.
    const { db } = test.service.context;
    await db.kysely
      .updateTable("tools")
      .set({ visibility: "public" })
      .where("name", "=", tool)
      .execute();
    expect((await test.call("POST", `/tools/${tool}/install`)).status).toBe(200);
    await test.call("POST", `/tools/${tool}/approvals`, { version: 1 });
    const ran = await run(tool);
    expect(ran.body.missing).toMatchObject([{ reason: "not_exposable" }]);
    expect(ran.body.detail).toContain("tools from other workspaces are not allowed to do");
  });

  it("stays unreadable when a public tool restores a version that needs it", async () => {
    await keep({ exposable: true });
    const tool = await make(isExposed);
    const open = { credentials: [], visibility: "public" };
    expect((await test.call("PATCH", `/tools/${tool}`, open)).status).toBe(200);
    const restored = await test.call("POST", `/tools/${tool}/versions/1/restore`);
    expect(restored.body.code).toBe("invalid_tool");
  });
});

describe("value of an exposed credential", () => {
  const ways: Record<string, string> = {
    "in a header": `fetch(url, { headers: { "x-key": key } })`,
    "in the address": `fetch(url + "/?k=" + encodeURIComponent(key))`,
    "in a body": `fetch(url, { method: "POST", body: "a" + key })`,
    "in base64": `fetch(url, { method: "POST", body: btoa("x" + key) })`,
    "in a streamed body": `fetch(url, { method: "POST", body: new Blob(["y".repeat(70_000), ...key]).stream() })`,
  };

  it.each(Object.entries(ways))(
    "is not sent %s to a host that the credential does not name",
    async (_, way) => {
      await keep({ exposable: true });
      const tool = await make(
        `export default async ({ url }, ctx) => {
        const key = ctx.credentials.SEEN_KEY;
        const answer = await ${way};
        return { status: answer.status };
      }`,
      );
      const { body } = await run(tool, { url: other });
      expect(body).toMatchObject({ status: "failed", error: { code: "egress_denied" } });
      expect(body.error.message).toContain(
        "SEEN_KEY is not allowed for this host. Add the host to the credential's hosts",
      );
      const record = await test.call("GET", `/runs/${body.runId}`);
      for (const text of [...received, record.text]) {
        expect(text).not.toContain(secret);
        expect(text).not.toContain(Buffer.from(`x${secret}`).toString("base64"));
      }
      received = [];
      expect((await run(tool, { url: own })).body.output).toEqual({ status: 200 });
      expect(received).toHaveLength(1);
    },
  );

  it("does not affect other requests of the run", async () => {
    await keep({ exposable: true });
    const tool = await make(
      `export default async ({ url }, ctx) => {
        const body = "z".repeat(200_000);
        await fetch(url, { method: "POST", body });
        await fetch(url, { method: "POST", body: new Blob([body]).stream() });
        return { length: ctx.credentials.SEEN_KEY.length };
      }`,
    );
    expect((await run(tool, { url: other })).body.status).toBe("completed");
    expect(received.map((text) => text.endsWith("z".repeat(200_000)))).toEqual([true, true]);
  });
});
