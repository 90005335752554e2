import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createMailer } from "#core/kernel";
import { timeOfId } from "#lib/ids";
import { connectTeam } from "#testing/chat";
import { startFakeSlack } from "#testing/fake-slack";
import type { FakeSlack, FakeTeam } from "#testing/fake-slack";
import { startMailbox } from "#testing/mailbox";
import type { Mailbox } from "#testing/mailbox";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";
import { startWebhookReceiver, verifyWebhook } from "#testing/webhook-receiver";
import type { WebhookReceiver } from "#testing/webhook-receiver";
import { checkAlerts } from "./check-alerts.ts";
import { deliverNotifications } from "./deliver-notifications.ts";

const minuteMs = 60_000;

let mailbox: Mailbox;
let receiver: WebhookReceiver;
let slack: FakeSlack;
let team: FakeTeam;
let test: TestService;
let connectionId: string;
let userId: string;
beforeAll(async () => {
  [mailbox, receiver, slack] = await Promise.all([
    startMailbox("user", "password"),
    startWebhookReceiver(),
    startFakeSlack(),
  ]);
  team = slack.addTeam("Acme");
  test = await startTestService({
    ...slack.settings,
    SMTP_URL: mailbox.url,
    EGRESS_PRIVATE_HOSTS: receiver.host,
  });
  connectionId = await connectTeam(test, team);
  userId = (await test.callAsOwner("GET", "/me")).body.user.id;
});
afterAll(async () => {
  await test.stop();
  await Promise.all([mailbox.close(), receiver.close(), slack.close()]);
});

let now: number;
beforeEach(() => {
  now = Date.now();
  receiver.received.length = 0;
});
afterEach(async () => {
  const { kysely } = test.service.context.db;
  await kysely.deleteFrom("alerts").execute();
  await kysely.deleteFrom("alert_deliveries").execute();
  await kysely.deleteFrom("runs").execute();
});

const alive = new AbortController().signal;
const check = () => checkAlerts(test.service.context, alive);

/** Makes an alert due now. */
async function checkAgain(id: string): Promise<void> {
  const { kysely } = test.service.context.db;
  await kysely.updateTable("alerts").set({ next_check_at: 1 }).where("id", "=", id).execute();
  await check();
}

const noSuccess = { kind: "no_success", hours: 1 };
const failureRate = { kind: "failure_rate", percent: 50, windowMinutes: 60, minRuns: 2 };

async function create(input: object): Promise<string> {
  const body = {
    name: "Failures",
    condition: failureRate,
    notify: { userIds: [userId] },
    ...input,
  };
  const answer = await test.callAsOwner("POST", "/alerts", body);
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body.id;
}

const read = async (id: string) => (await test.callAsOwner("GET", `/alerts/${id}`)).body;
const eventsOf = async (id: string) => (await test.callAsOwner("GET", `/alerts/${id}/events`)).body;
const run = (toolName: string, body: object) =>
  test.api("POST /run/{toolName}", { params: { toolName }, body });

const flaky = "export default ({ works }) => { if (!works) throw new Error('no'); return {}; };";

describe("changeAlert", () => {
  const change = (id: string, body: object) => test.callAsOwner("PATCH", `/alerts/${id}`, body);

  it("changes an alert whose tool was archived, and refuses another such tool", async () => {
    const [tool, other] = [await test.makeTool(flaky), await test.makeTool(flaky)];
    const id = await create({ toolName: tool });
    for (const name of [tool, other]) await test.call("DELETE", `/tools/${name}`);
    expect((await change(id, { enabled: false })).status).toBe(200);
    expect((await change(id, { name: "Renamed", toolName: tool })).status).toBe(200);
    expect((await change(id, { toolName: other })).status).toBe(400);
    expect(await read(id)).toMatchObject({ name: "Renamed", toolName: tool, enabled: false });
  });

  it("keeps and removes recipients that no longer exist, and adds none", async () => {
    const unknown = "01900000-0000-7000-8000-000000000000";
    const webhook = { url: receiver.url, events: ["run.failed"], description: "" };
    const { body } = await test.callAsOwner("POST", "/webhooks", webhook);
    const notify = { userIds: [userId], webhookIds: [body.id], chats: [] };
    const id = await create({ notify });
    await test.callAsOwner("DELETE", `/webhooks/${body.id}`);
    expect((await change(id, { name: "Same", notify })).status).toBe(200);
    const added = { ...notify, webhookIds: [body.id, unknown] };
    expect((await change(id, { notify: added })).status).toBe(400);
    expect((await change(id, { notify: { ...notify, webhookIds: [] } })).status).toBe(200);
    expect((await change(id, { notify })).status).toBe(400);
  });
});

describe("checkAlerts", () => {
  it("notifies by email, chat and webhook once when an alert fires and is resolved", async () => {
    const tool = await test.makeTool(flaky);
    const webhook = await test.callAsOwner("POST", "/webhooks", {
      url: receiver.url,
      events: ["run.cancelled"],
    });
    const [channel = ""] = team.channels;
    const id = await create({
      toolName: tool,
      notify: {
        userIds: [userId],
        webhookIds: [webhook.body.id],
        chats: [{ connectionId, channel }],
      },
    });
    await run(tool, {});
    await checkAgain(id);
    expect(await read(id)).toMatchObject({ state: "ok", problem: null });
    await run(tool, {});
    await Promise.all([checkAgain(id), checkAgain(id), checkAgain(id)]);
    await expect.poll(async () => (await read(id)).state).toBe("firing");
    const mail = await mailbox.next(test.person.email);
    expect(mail).toContain("Subject: Alert: Failures");
    expect(mail).toContain("2 of 2 runs failed in the last hour (100%).");
    expect(mail).toContain(`${test.baseUrl}/alerts/${id}`);
    expect(mail).toContain("Tool: Test tool, Workspace: ");
    await receiver.wait(1);
    const [received] = receiver.received;
    if (received === undefined) throw new Error("No event");
    expect(verifyWebhook(webhook.body.secret, received)).toMatchObject({
      type: "alert.firing",
      data: { alertId: id, name: "Failures", toolName: tool, condition: "failure_rate" },
    });
    const posts = () => team.messages.filter(({ text }) => text.includes("Failures"));
    await expect
      .poll(() => posts().map(({ text }) => text.split("\n")[0]))
      .toEqual(["Alert: Failures"]);
    expect(posts()[0]).toMatchObject({ channel });
    expect(posts()[0]?.text).toContain("Tool: Test tool, Workspace: ");
    expect(posts()[0]).not.toHaveProperty("thread_ts");

    await run(tool, {});
    await checkAgain(id);
    for (let times = 0; times < 3; times++) await run(tool, { works: true });
    await checkAgain(id);
    expect(await read(id)).toMatchObject({ state: "resolved" });
    await checkAgain(id);
    expect(await mailbox.next(test.person.email)).toContain("Subject: Resolved: Failures");
    await receiver.wait(2);
    expect(receiver.received[1]?.event.type).toBe("alert.resolved");
    await expect
      .poll(async () => {
        const events: { type: string; deliveries: { state: string }[] }[] = await eventsOf(id);
        return events.map(({ type, deliveries }) => [
          type,
          ...deliveries.map(({ state }) => state),
        ]);
      })
      .toEqual(["resolved", "firing"].map((type) => [type, "delivered", "delivered", "delivered"]));
    expect(mailbox.count()).toBe(2);
    expect(receiver.received).toHaveLength(2);
    expect(posts()).toHaveLength(2);
    const page = await test.callAsOwner("GET", `/webhooks/${webhook.body.id}/deliveries`);
    expect(page.body[0]).toMatchObject({ type: "alert.resolved", runId: null, toolName: null });
    await test.callAsOwner("DELETE", `/webhooks/${webhook.body.id}`);
  });

  it("fires if no run completed in time", async () => {
    const tool = await test.makeTool(flaky);
    const id = await create({ toolName: tool, condition: { kind: "no_success", hours: 1 } });
    await check();
    expect(await read(id)).toMatchObject({
      state: "firing",
      summary: "No run completed in the last hour.",
    });
    await mailbox.next(test.person.email);
    const { runId } = await run(tool, { works: true });
    await checkAgain(id);
    expect(await read(id)).toMatchObject({ state: "resolved" });
    await mailbox.next(test.person.email);
    const { clock } = test.service.context;
    const real = clock.now;
    clock.now = () => timeOfId(runId) + 61 * minuteMs;
    try {
      await checkAgain(id);
    } finally {
      clock.now = real;
    }
    expect(await read(id)).toMatchObject({ state: "firing" });
    await test.callAsOwner("DELETE", `/alerts/${id}`);
  });

  it("does not count private runs, and cannot check a tool that became private", async () => {
    const secret = await test.makeTool(flaky, { visibility: "private" });
    for (let times = 0; times < 3; times++) await run(secret, {});
    const id = await create({});
    const shared = await test.makeTool(flaky);
    const ofTool = await create({ toolName: shared });
    for (let times = 0; times < 3; times++) await run(shared, { works: true });
    await checkAgain(id);
    expect(await read(id)).toMatchObject({
      state: "ok",
      summary: expect.stringMatching(/^0 of 3/),
    });
    const { kysely } = test.service.context.db;
    await kysely
      .updateTable("tools")
      .set({ visibility: "private" })
      .where("name", "=", shared)
      .execute();
    await checkAgain(ofTool);
    expect((await read(ofTool)).problem).toContain("private");
    await checkAgain(id);
    expect(await read(id)).toMatchObject({
      state: "ok",
      summary: expect.stringMatching(/^No run/),
    });
  });

  it("reports each key and connection that ends", async () => {
    const id = await create({ name: "Keys", condition: { kind: "credential", days: 7 } });
    await check();
    expect(await read(id)).toMatchObject({ state: "ok" });
    const makeKey = async (name: string, days: number) => {
      const expiresAt = new Date(now + days * 1_440 * minuteMs).toISOString();
      const body = { name, scopes: ["mcp:read"], expiresAt };
      const answer = await test.callAsOwner("POST", "/api-keys", body);
      if (answer.status !== 201) throw new Error(answer.text);
      return String(answer.body.id);
    };
    await makeKey("Later", 30);
    const first = await makeKey("Deploy", 3);
    await checkAgain(id);
    expect(await mailbox.next(test.person.email)).toContain('The API key "Deploy" expires on');
    await checkAgain(id);
    const second = await makeKey("Backup", 5);
    await checkAgain(id);
    expect(await mailbox.next(test.person.email)).toContain('The API key "Backup" expires on');
    for (const key of [first, second]) await test.callAsOwner("DELETE", `/api-keys/${key}`);
    await checkAgain(id);
    expect(await mailbox.next(test.person.email)).toContain("Resolved: Keys");
    const types = (await eventsOf(id)).map(({ type }: { type: string }) => type);
    expect(types).toEqual(["resolved", "firing", "firing"]);
  });

  it("leaves no trace of a check whose alert was changed meanwhile", async () => {
    const tool = await test.makeTool(flaky);
    const id = await create({ toolName: tool, condition: { kind: "no_success", hours: 1 } });
    const { db } = test.service.context;
    const context = {
      ...test.service.context,
      db: {
        ...db,
        transact: async (...steps: Parameters<typeof db.transact>) => {
          await db.kysely
            .updateTable("alerts")
            .set((row) => ({ revision: row("revision", "+", 1) }))
            .where("id", "=", id)
            .where("next_check_at", "=", 1)
            .execute();
          return db.transact(...steps);
        },
      },
    };
    await check();
    await mailbox.next(test.person.email);
    await db.kysely.updateTable("alerts").set({ state: "ok", next_check_at: 1 }).execute();
    await checkAlerts(context, alive);
    expect(await eventsOf(id)).toHaveLength(1);
    expect((await read(id)).state).toBe("ok");
  });
});

describe("deliverNotifications", () => {
  it("reports that an email was only written to the log without a mail server", async () => {
    const { context } = test.service;
    const id = await create({ toolName: await test.makeTool(flaky), condition: noSuccess });
    await check();
    const mailer = createMailer({ ...context.config, SMTP_URL: undefined }, context.log);
    await deliverNotifications({ ...context, mailer });
    const [event] = await eventsOf(id);
    expect(event.deliveries).toMatchObject([
      { state: "dead", problem: expect.stringContaining("no mail server (SMTP_URL)") },
    ]);
  });

  it("repeats a failed delivery, and waits for the end of quiet hours", async () => {
    const { context } = test.service;
    const hour = new Date(now).getUTCHours();
    const text = (at: number) => `${String((at + 24) % 24).padStart(2, "0")}:00`;
    const quietHours = { timeZone: "UTC", start: text(hour - 1), end: text(hour + 2) };
    const tool = await test.makeTool(flaky);
    const condition = noSuccess;
    const id = await create({ name: "Quiet", toolName: tool, condition, quietHours });
    await check();
    await deliverNotifications(context);
    const [event] = await eventsOf(id);
    expect(event.deliveries).toMatchObject([{ channel: "email", state: "pending", attempts: 0 }]);
    expect(event.deliveries[0].dueAt.slice(11, 16)).toBe(quietHours.end);
    expect((await test.callAsOwner("POST", `/alerts/${id}/test`)).status).toBe(204);
    expect(await mailbox.next(test.person.email)).toContain("Subject: Test of alert: Quiet");
    await expect.poll(async () => (await eventsOf(id))[0].deliveries[0].state).toBe("delivered");
    const { clock } = context;
    const realNow = clock.now;
    try {
      mailbox.refuse(true);
      clock.now = () => now + 3 * 60 * minuteMs;
      await deliverNotifications(context);
      const failed = (await eventsOf(id)).at(-1);
      expect(failed.deliveries[0]).toMatchObject({
        state: "pending",
        problem: expect.stringContaining("451"),
      });
      mailbox.refuse(false);
      clock.now = () => now + 3 * 60 * minuteMs + minuteMs;
      await Promise.all([deliverNotifications(context), deliverNotifications(context)]);
    } finally {
      mailbox.refuse(false);
      clock.now = realNow;
    }
    const mail = await mailbox.next(test.person.email);
    expect(mail).toContain("Subject: Alert: Quiet");
    const firedAt = String(event.createdAt).slice(0, 16).replace("T", " ");
    expect(mail).toContain(`Time: ${firedAt} UTC`);
    expect(mail).toMatch(/^Message-ID: <[0-9a-f-]{36}@/im);
    expect((await eventsOf(id)).at(-1).deliveries[0]).toMatchObject({
      state: "delivered",
      dueAt: null,
    });
  });

  it("says what to do if the bot cannot post into the channel", async () => {
    const tool = await test.makeTool(flaky);
    const condition = { kind: "no_success", hours: 1 };
    const notify = { chats: [{ connectionId, channel: "C0MISSING" }] };
    const id = await create({ name: "Nowhere", toolName: tool, condition, notify });
    await check();
    await expect
      .poll(async () => (await eventsOf(id))[0].deliveries[0])
      .toMatchObject({
        state: "dead",
        problem:
          "No channel has this ID, or the bot is not a member of it. Check the ID, and invite the bot. (chat.postMessage: channel_not_found)",
      });
  });

  it("accepts channel IDs of each platform, and no names or paths", async () => {
    const send = (channel: string) =>
      test.callAsOwner("POST", "/alerts", {
        name: "Channels",
        condition: failureRate,
        notify: { chats: [{ connectionId, channel }] },
      });
    for (const channel of ["C0123ABC", "998877665544332211", "19:ab_c-1f@thread.tacv2"])
      expect((await send(channel)).status).toBe(201);
    for (const channel of ["#general", "../x", "19:a/../b", "20:x@thread.tacv2"]) {
      const { status, body } = await send(channel);
      expect([status, body.errors?.[0]?.path]).toEqual([400, "/notify/chats/0/channel"]);
    }
  });

  it("posts into a chat once if an attempt was not recorded", async () => {
    const { context } = test.service;
    const [channel = ""] = team.channels;
    const tool = await test.makeTool(flaky);
    const condition = { kind: "no_success", hours: 1 };
    const notify = { chats: [{ connectionId, channel }] };
    await create({ name: "Once", toolName: tool, condition, notify });
    await check();
    const posts = () => team.messages.filter(({ text }) => text.includes("Alert: Once")).length;
    await expect.poll(posts).toBe(1);
    await expect
      .poll(async () => {
        const rows = await context.db.kysely
          .selectFrom("alert_deliveries")
          .select("state")
          .execute();
        return rows.map(({ state }) => state);
      })
      .toEqual(["delivered"]);
    // As after a node that stopped between the post and its record.
    await context.db.kysely
      .updateTable("alert_deliveries")
      .set({ state: "pending", due_at: 1, finished_at: null })
      .execute();
    await deliverNotifications(context);
    await expect.poll(posts).toBe(1);
  });
});

describe("routes of alerts", () => {
  it("refuses recipients and tools that the workspace does not have, and other roles", async () => {
    const refused = async (input: object, path: string) => {
      const body = { name: "A", condition: failureRate, notify: { userIds: [userId] }, ...input };
      const answer = await test.callAsOwner("POST", "/alerts", body);
      expect(answer.status).toBe(400);
      expect(answer.body.errors[0].path).toBe(path);
    };
    const stranger = await test.addSignedIn(await test.addWorkspace(), "owner");
    await refused({ notify: { userIds: [stranger.userId] } }, "/notify/userIds");
    await refused({ notify: { webhookIds: [stranger.userId] } }, "/notify/webhookIds");
    const chats = [{ connectionId: stranger.userId, channel: "C1" }];
    await refused({ notify: { chats } }, "/notify/chats");
    await refused({ notify: {} }, "/notify");
    await refused({ toolName: "no_such_tool_abcd" }, "/toolName");
    const secret = await test.makeTool(flaky, { visibility: "private" });
    await refused({ toolName: secret }, "/toolName");
    const quietHours = { timeZone: "Mars/Base", start: "10:00", end: "11:00" };
    await refused({ quietHours }, "/quietHours/timeZone");
    const id = await create({});
    expect((await stranger.call("GET", `/alerts/${id}`)).status).toBe(404);
    const member = await test.addSignedIn(test.workspaceId, "builder");
    for (const [method, path] of [
      ["GET", "/alerts"],
      ["POST", `/alerts/${id}/test`],
      ["DELETE", `/alerts/${id}`],
    ] as const) {
      expect((await member.call(method, path)).status).toBe(403);
    }
    expect((await test.call("GET", "/alerts")).status).toBe(403);
  });

  it("changes, disables and deletes an alert, and limits their number", async () => {
    const id = await create({});
    await check();
    const path = `/alerts/${id}`;
    const renamed = await test.callAsOwner("PATCH", path, { name: "New" });
    expect(renamed.body).toMatchObject({ name: "New", condition: failureRate, enabled: true });
    const disabled = await test.callAsOwner("PATCH", path, { enabled: false });
    expect(disabled.body).toMatchObject({ enabled: false, state: "ok", checkedAt: null });
    await check();
    expect((await read(id)).checkedAt).toBeNull();
    const { config } = test.service.context;
    const before = config.WORKSPACE_MAX_ALERTS;
    Object.assign(config, { WORKSPACE_MAX_ALERTS: 1 });
    try {
      const body = { name: "B", condition: failureRate, notify: { userIds: [userId] } };
      const refused = await test.callAsOwner("POST", "/alerts", body);
      expect(refused.body).toMatchObject({ code: "quota_exceeded", limit: { name: "alerts" } });
    } finally {
      Object.assign(config, { WORKSPACE_MAX_ALERTS: before });
    }
    expect((await test.callAsOwner("DELETE", path)).status).toBe(204);
    expect((await test.callAsOwner("GET", path)).status).toBe(404);
    const audit = await test.call("GET", `/audit-events?target=${id}`);
    expect(audit.body.map(({ action }: { action: string }) => action)).toEqual([
      "alert.delete",
      "alert.change",
      "alert.change",
      "alert.create",
    ]);
  });
});
