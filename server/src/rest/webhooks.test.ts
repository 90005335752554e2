import { webhookPayload } from "@toolhost/contract";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "#lib/clock";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";
import { startWebhookReceiver, verifyWebhook } from "#testing/webhook-receiver";
import type { WebhookReceiver } from "#testing/webhook-receiver";

let receiver: WebhookReceiver;
let test: TestService;
let tool: string;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
  test = await startTestService({
    EGRESS_PRIVATE_HOSTS: receiver.host,
    WORKSPACE_MAX_WEBHOOKS: "3",
  });
  tool = await test.makeTool("export default (input) => ({ echo: input.text ?? null });");
});
afterAll(async () => {
  await test.stop();
  await receiver.close();
});
afterEach(async () => {
  for (const { id } of (await test.callAsOwner("GET", "/webhooks")).body) {
    await test.callAsOwner("DELETE", `/webhooks/${id}`);
  }
  receiver.received.length = 0;
  receiver.respond = (_request, response) => void response.writeHead(204).end();
});

const create = async (body: object = {}) => {
  const created = await test.callAsOwner("POST", "/webhooks", { url: receiver.url, ...body });
  expect([created.status, created.text]).toEqual([201, expect.any(String)]);
  return created.body;
};
const run = async (input: object = {}, name = tool) =>
  (await test.call("POST", `/run/${name}`, input)).body;
/** Checks that what was sent is what the contract describes, and no more. */
const expectDescribed = () => {
  for (const { event } of receiver.received) expect(webhookPayload.parse(event)).toEqual(event);
};
const unknownId = "01900000-0000-7000-8000-000000000000";

describe("POST /webhooks", () => {
  it("returns the secret once, and reports runs that end from then on", async () => {
    await run();
    const created = await create({ description: "Ledger" });
    expect(created).toMatchObject({
      description: "Ledger",
      events: ["run.completed", "run.failed", "run.cancelled"],
      tools: null,
      includeOutput: false,
      enabled: true,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
    const { secret, ...shown } = created;
    const listed = (await test.callAsOwner("GET", "/webhooks")).body;
    expect(listed).toEqual([shown]);
    expect((await test.callAsOwner("GET", `/webhooks/${created.id}`)).body).toEqual(shown);
    const { runId } = await run({ text: "secret of the input" });
    const [sent] = await receiver.wait(1);
    if (sent === undefined) throw new Error("nothing was sent");
    expect(verifyWebhook(secret, sent)).toEqual({
      type: "run.completed",
      timestamp: expect.any(String),
      data: {
        runId,
        parentRunId: null,
        toolName: tool,
        toolVersion: 1,
        status: "completed",
        errorCode: null,
        createdAt: expect.any(String),
        startedAt: expect.any(String),
        finishedAt: expect.any(String),
        durationMs: expect.any(Number),
        via: "rest",
        runUrl: `${test.baseUrl}/runs/${runId}`,
      },
    });
    expectDescribed();
    expect(sent.headers).toMatchObject({
      "content-type": "application/json",
      "user-agent": "Toolhost-Webhooks/1",
    });
    const { body } = await test.call("GET", `/audit-events?action=run.create`);
    expect(body[0]).toMatchObject({ id: sent.id, target: runId });
  });

  it.each([
    [{ url: "http://example.com/hook" }, "/url"],
    [{ url: "https://user:pass@example.com/" }, "/url"],
    [{ url: "ftp://example.com/" }, "/url"],
    [{ url: "https://example.com/", events: [] }, "/events"],
    [{ url: "https://example.com/", events: ["run.started"] }, "/events/0"],
    [{ url: "https://example.com/", tools: ["a%_b"] }, "/tools/0"],
    [{ url: "https://example.com/", description: "a\u0000b" }, "/description"],
    [{ url: "https://example.com/", secret: "mine" }, "/secret"],
  ])("returns 400 for %j", async (body, path) => {
    const refused = await test.callAsOwner("POST", "/webhooks", body);
    expect([refused.status, refused.body.errors[0].path]).toEqual([400, path]);
  });

  it("returns 429 above the limit of the workspace", async () => {
    for (let count = 0; count < 3; count++) await create();
    const refused = await test.callAsOwner("POST", "/webhooks", { url: receiver.url });
    expect([refused.status, refused.body.code]).toEqual([429, "quota_exceeded"]);
  });
});

describe("the rights of webhooks", () => {
  it("allows owners and admins with a session", async () => {
    const { id } = await create();
    const statuses: Record<string, number[]> = {};
    for (const role of ["admin", "builder", "member", "viewer"]) {
      const { call } = await test.addSignedIn(test.workspaceId, role);
      const answers = [
        await call("GET", "/webhooks"),
        await call("GET", `/webhooks/${id}`),
        await call("PATCH", `/webhooks/${id}`, { description: role }),
        await call("POST", `/webhooks/${id}/rotate-secret`),
        await call("POST", `/webhooks/${id}/test`),
        await call("GET", `/webhooks/${id}/deliveries`),
        await call("POST", `/webhooks/${id}/requeue-dead-letters`),
        await call("POST", `/webhooks/${id}/deliveries/${unknownId}/requeue`),
      ];
      statuses[role] = answers.map(({ status }) => status);
    }
    const refused = Array<number>(8).fill(403);
    expect(statuses).toEqual({
      admin: [200, 200, 200, 200, 200, 200, 204, 404],
      builder: refused,
      member: refused,
      viewer: refused,
    });
    expect((await test.call("GET", "/webhooks")).status).toBe(403);
  });

  it("ends at the workspace", async () => {
    const { id } = await create();
    const other = await test.addSignedIn(await test.addWorkspace(), "owner");
    const paths = [
      ["GET", ""],
      ["PATCH", "", { enabled: false }],
      ["DELETE", ""],
      ["POST", "/rotate-secret"],
      ["POST", "/test"],
      ["GET", "/deliveries"],
      ["POST", "/requeue-dead-letters"],
      ["POST", `/deliveries/${unknownId}/requeue`],
    ] as const;
    for (const [method, path, body] of paths) {
      const answer = await other.call(method, `/webhooks/${id}${path}`, body);
      expect([method, path, answer.status]).toEqual([method, path, 404]);
    }
    expect((await other.call("GET", "/webhooks")).body).toEqual([]);
    expect((await test.callAsOwner("GET", "/webhooks/no-id")).status).toBe(404);
  });
});

describe("PATCH /webhooks/{id}", () => {
  it("filters by event and tool, and includes the output on request", async () => {
    const other = await test.makeTool("export default () => { throw new Error('no'); };");
    const { id } = await create({ events: ["run.failed"] });
    await run();
    const failed = await run({}, other);
    expect((await receiver.wait(1))[0]?.event).toMatchObject({
      type: "run.failed",
      data: { runId: failed.runId, errorCode: "tool_error" },
    });
    const change = { events: ["run.completed"], tools: [tool], includeOutput: true };
    const changed = await test.callAsOwner("PATCH", `/webhooks/${id}`, change);
    expect(changed.body).toMatchObject(change);
    await run({}, other);
    await run({ text: "shown" });
    await run({ text: "x".repeat(20_000) });
    const [, small, large] = await receiver.wait(3);
    const data = [small, large].map((one) => one?.event.data).toSorted((a) => (a.output ? -1 : 1));
    expect(data[0].output).toEqual({ echo: "shown" });
    expect([data[1].output, data[1].outputOmitted]).toEqual([undefined, true]);
    expect(receiver.received).toHaveLength(3);
    expectDescribed();
  });

  it("stops reporting while it is disabled", async () => {
    const { id } = await create();
    await test.callAsOwner("PATCH", `/webhooks/${id}`, { enabled: false });
    await run();
    const enabled = await test.callAsOwner("PATCH", `/webhooks/${id}`, { enabled: true });
    expect(enabled.body).toMatchObject({ enabled: true, disabledReason: null, pending: 0 });
    const { runId } = await run();
    expect((await receiver.wait(1))[0]?.event.data.runId).toBe(runId);
    expect((await test.callAsOwner("PATCH", `/webhooks/${id}`, {})).status).toBe(400);
  });
});

describe("POST /webhooks/{id}/rotate-secret", () => {
  it("signs with each replaced secret for a day", async () => {
    const { id, secret } = await create();
    const rotated = (await test.callAsOwner("POST", `/webhooks/${id}/rotate-secret`)).body;
    expect(Date.parse(rotated.previousValidUntil)).toBeGreaterThan(Date.now() + 86_000_000);
    expect(rotated.secret).not.toBe(secret);
    await run();
    const [sent] = await receiver.wait(1);
    if (sent === undefined) throw new Error("nothing was sent");
    expect(verifyWebhook(secret, sent)).toEqual(verifyWebhook(rotated.secret, sent));
    const forged = { ...sent, body: sent.body.replace("completed", "cancelled") };
    expect(() => verifyWebhook(secret, forged)).toThrow("No matching signature");
    const again = (await test.callAsOwner("POST", `/webhooks/${id}/rotate-secret`)).body;
    await run();
    const [, later] = await receiver.wait(2);
    if (later === undefined) throw new Error("nothing was sent");
    for (const one of [secret, rotated.secret, again.secret]) verifyWebhook(one, later);
    test.service.context.clock.now = () => Date.now() + 86_401_000;
    await test.callAsOwner("POST", `/webhooks/${id}/test`);
    const tomorrow = receiver.received.at(-1);
    expect(tomorrow?.headers["webhook-signature"]?.toString().split(" ")).toHaveLength(1);
    test.service.context.clock.now = systemClock.now;
  });

  it("signs with the last five replaced secrets at most", async () => {
    const { id } = await create();
    for (let count = 0; count < 7; count++) {
      await test.callAsOwner("POST", `/webhooks/${id}/rotate-secret`);
    }
    await test.callAsOwner("POST", `/webhooks/${id}/test`);
    const [sent] = receiver.received;
    expect(sent?.headers["webhook-signature"]?.toString().split(" ")).toHaveLength(6);
  });
});

describe("POST /webhooks/{id}/test", () => {
  it("returns the outcome of one request", async () => {
    const { id, secret } = await create();
    const good = (await test.callAsOwner("POST", `/webhooks/${id}/test`)).body;
    expect(good).toEqual({
      delivered: true,
      status: 204,
      problem: null,
      durationMs: expect.any(Number),
    });
    const [sent] = receiver.received;
    if (sent === undefined) throw new Error("nothing was sent");
    expect(verifyWebhook(secret, sent)).toMatchObject({
      type: "webhook.test",
      data: { webhookId: id },
    });
    expectDescribed();
    receiver.respond = (_request, response) =>
      void response.writeHead(302, { location: "http://169.254.169.254/latest/meta-data" }).end();
    const bad = (await test.callAsOwner("POST", `/webhooks/${id}/test`)).body;
    expect(bad).toMatchObject({ delivered: false, status: 302 });
    expect(bad.problem).toContain("Redirects are not followed");
    expect(receiver.received).toHaveLength(2);
  });

  it.each([
    ["https://127.0.0.1/", "an address of this machine"],
    ["https://10.0.0.1/", "a private address"],
    ["https://169.254.169.254/latest/meta-data", "a link-local address"],
    ["https://[::1]/", "an address of this machine"],
    ["https://0x7f.1/", "an address of this machine"],
    ["https://localhost/", ""],
  ])("sends no request to %s", async (url, reason) => {
    const { id } = await create({ url });
    const { body } = await test.callAsOwner("POST", `/webhooks/${id}/test`);
    expect(body).toMatchObject({ delivered: false, status: null });
    expect(body.problem).toContain(reason);
  });
});

describe("GET /webhooks/{id}/deliveries", () => {
  it("lists them in pages, newest first, and requeues delivered ones with the same ID", async () => {
    const { id } = await create();
    const runIds: string[] = [];
    for (let count = 0; count < 3; count++) runIds.unshift((await run()).runId);
    await receiver.wait(3);
    const path = `/webhooks/${id}/deliveries`;
    await expect
      .poll(async () => (await test.callAsOwner("GET", `${path}?state=delivered`)).body.length)
      .toBe(3);
    const first = await test.callAsOwner("GET", `${path}?limit=2`);
    const next = /<[^>]+api\/v1([^>]+)>/.exec(first.headers.get("link") ?? "")?.[1] ?? "";
    const second = await test.callAsOwner("GET", next);
    const all = [...first.body, ...second.body];
    expect(all.map((one) => one.runId)).toEqual(runIds);
    const [{ eventId }] = all;
    expect((await test.callAsOwner("POST", `${path}/${eventId}/requeue`)).status).toBe(204);
    const sent = await receiver.wait(4);
    expect(sent[3]?.id).toBe(eventId);
    expect((await test.callAsOwner("POST", `${path}/${unknownId}/requeue`)).status).toBe(404);
    expect((await test.callAsOwner("POST", `${path}/1/requeue`)).status).toBe(404);
    expect((await test.callAsOwner("GET", `${path}?cursor=x`)).status).toBe(400);
  });
});

describe("private runs", () => {
  it("reports none of them", async () => {
    await create();
    const hidden = await test.makeTool("export default () => ({});", { visibility: "private" });
    const { runId } = await run({}, hidden);
    expect(runId).toEqual(expect.any(String));
    const shown = await run();
    const [first] = await receiver.wait(1);
    expect(first?.event.data.runId).toBe(shown.runId);
    const [webhook] = (await test.callAsOwner("GET", "/webhooks")).body;
    const { body } = await test.callAsOwner("GET", `/webhooks/${webhook.id}/deliveries`);
    expect(body.map((one: { runId: string }) => one.runId)).toEqual([shown.runId]);
  });

  it("names no run and no tool that became private, in its deliveries and the audit log", async () => {
    const hidden = await test.makeTool("export default () => ({});");
    const { id } = await create({ tools: [hidden, tool] });
    await run({}, hidden);
    const { runId } = await run();
    await receiver.wait(2);
    await test.call("PATCH", `/tools/${hidden}`, { visibility: "private" });
    const deliveries = await test.callAsOwner("GET", `/webhooks/${id}/deliveries`);
    expect(deliveries.body).toMatchObject([
      { runId, toolName: tool },
      { runId: null, toolName: null, eventId: expect.any(String) },
    ]);
    expect(deliveries.text).not.toContain(hidden);
    const other = await test.addSignedIn(test.workspaceId, "admin");
    const events = await other.call("GET", "/audit-events?action=webhook.create&limit=1");
    expect(events.body).toMatchObject([{ target: id, details: { tools: 2 } }]);
    expect(events.text).not.toContain(hidden);
  });
});
