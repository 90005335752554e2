import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { sql } from "kysely";
import { startMailbox } from "#testing/mailbox";
import type { Mailbox } from "#testing/mailbox";
import { draftOf, startTestService } from "#testing/service";
import type { TestService } from "#testing/service";
import { startWebhookReceiver, verifyWebhook } from "#testing/webhook-receiver";
import type { WebhookReceiver } from "#testing/webhook-receiver";
import { systemClock } from "#lib/clock";
import { readTotals } from "./webhook-store.ts";
import { claimDeliveries, deleteOldDeliveries, writeOutcome } from "./delivery-store.ts";

const hourMs = 3_600_000;
const leaseMs = 30_000;
let receiver: WebhookReceiver;
let mailbox: Mailbox;
let test: TestService;
let tool: string;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
  mailbox = await startMailbox("user", "word");
  test = await startTestService({
    EGRESS_PRIVATE_HOSTS: receiver.host,
    SMTP_URL: mailbox.url,
  });
  tool = await test.makeTool("export default () => ({});");
});
afterAll(async () => {
  await test.stop();
  await mailbox.close();
  await receiver.close();
});
afterEach(async () => {
  for (const { id } of (await test.callAsOwner("GET", "/webhooks")).body) {
    await test.callAsOwner("DELETE", `/webhooks/${id}`);
  }
  test.service.context.clock.now = systemClock.now;
  receiver.received.length = 0;
  receiver.respond = (_request, response) => void response.writeHead(204).end();
});

const create = async (body: object = {}): Promise<string> =>
  (await test.callAsOwner("POST", "/webhooks", { url: receiver.url, ...body })).body.id;
const run = async () => (await test.call("POST", `/run/${tool}`, {})).body;
const get = async (id: string) => (await test.callAsOwner("GET", `/webhooks/${id}`)).body;
const list = async (id: string, query = "") =>
  (await test.callAsOwner("GET", `/webhooks/${id}/deliveries${query}`)).body;
const fail =
  (status: number, headers: Record<string, string> = {}): WebhookReceiver["respond"] =>
  (_request, response) =>
    void response.writeHead(status, headers).end("no");
let aheadMs = 0;
/** Moves the clock of the service forward, from its normal time. */
const wait = (ms: number) => {
  aheadMs = ms;
  test.service.context.clock.now = () => systemClock.now() + aheadMs;
};
const until = async <T>(read: () => Promise<T>, check: (value: T) => boolean): Promise<T> => {
  for (const end = Date.now() + 25_000; ;) {
    const value = await read();
    if (check(value)) return value;
    if (Date.now() > end) throw new Error(`timed out: ${JSON.stringify(value)}`);
    await sleep(50);
  }
};
/** The newest delivery after an attempt failed. During an attempt, the next one is due at the end of the lease. */
const failuresOf = async (id: string) => {
  const { kysely } = test.service.context.db;
  const rows = kysely.selectFrom("webhooks").select("failures").where("id", "=", id);
  return (await rows.executeTakeFirst())?.failures;
};
const firstWith = (id: string, attempts: number) =>
  until(
    async () => (await list(id))[0],
    (one) =>
      one?.attempts === attempts &&
      one.problem !== null &&
      Date.parse(one.nextAttemptAt) - Date.parse(one.attemptedAt) !== leaseMs,
  );

describe("a delivery that fails", () => {
  it("is retried for three days with the same ID, and becomes a dead letter that can be requeued", async () => {
    receiver.respond = fail(500);
    const id = await create();
    await run();
    const pauses: number[] = [];
    let now = 0;
    for (let attempts = 1; attempts <= 10; attempts++) {
      const one = await firstWith(id, attempts);
      expect(one).toMatchObject({ state: "pending", status: 500, finishedAt: null });
      expect(one.problem).toBe("The endpoint responded with status 500");
      const pauseMs = Date.parse(one.nextAttemptAt) - Date.parse(one.attemptedAt);
      pauses.push(pauseMs);
      now += pauseMs + 1_000;
      // The pause of the webhook is recorded after the attempt, and must start before the clock is moved.
      await until(
        () => failuresOf(id),
        (failures) => failures === attempts,
      );
      wait(now);
    }
    const dead = await until(
      () => list(id, "?state=dead"),
      (rows) => rows.length === 1,
    );
    expect(dead[0]).toMatchObject({ attempts: 11, status: 500, nextAttemptAt: null });
    expect(new Set(receiver.received.map((one) => one.id)).size).toBe(1);
    expect(new Set(receiver.received.map((one) => one.body)).size).toBe(1);
    expect(pauses.every((ms, index) => index === 0 || ms > 0.9 * (pauses[index - 1] ?? 0))).toBe(
      true,
    );
    const total = pauses.reduce((sum, ms) => sum + ms, 0);
    expect(total).toBeGreaterThan(72 * hourMs);
    expect(total).toBeLessThan(81 * hourMs);
    // The last attempt failed after three days, so the webhook is disabled as well.
    const disabled = await until(
      () => get(id),
      ({ enabled }) => !enabled,
    );
    expect(disabled).toMatchObject({ disabledReason: "failing", dead: 1, pending: 0 });
    expect(await mailbox.next(test.person.email)).toContain(`${test.baseUrl}/webhooks`);
    receiver.respond = fail(200);
    const enabled = await test.callAsOwner("PATCH", `/webhooks/${id}`, { enabled: true });
    expect(enabled.body).toMatchObject({ failingSince: null, disabledReason: null });
    const path = `/webhooks/${id}/requeue-dead-letters`;
    expect((await test.callAsOwner("POST", path)).status).toBe(204);
    const [sent] = await until(
      () => list(id, "?state=delivered"),
      (rows) => rows.length === 1,
    );
    expect(sent).toMatchObject({ attempts: 1, status: 200, problem: null });
    expect(new Set(receiver.received.map((one) => one.id)).size).toBe(1);
    const actions = (await test.call("GET", "/audit-events?limit=10")).body.map(
      (event: { action: string }) => event.action,
    );
    expect(actions).toEqual(expect.arrayContaining(["webhook.disable", "webhook.requeue"]));
  });

  it("waits for the time that the receiver asks for", async () => {
    receiver.respond = fail(429, { "retry-after": "7200" });
    const id = await create();
    await run();
    const one = await firstWith(id, 1);
    const pauseMs = Date.parse(one.nextAttemptAt) - Date.parse(one.attemptedAt);
    expect(pauseMs).toBeGreaterThanOrEqual(7_200_000);
    expect(pauseMs).toBeLessThan(7_220_000);
    // The webhook is paused, so that other events wait too.
    await run();
    await sleep(1_200);
    expect(receiver.received).toHaveLength(1);
    wait(7_201_000);
    receiver.respond = fail(200);
    await until(
      () => list(id, "?state=delivered"),
      (rows) => rows.length === 2,
    );
  });

  it("disables a webhook that responds with status 410", async () => {
    receiver.respond = fail(410);
    const id = await create();
    await run();
    const gone = await until(
      () => get(id),
      ({ enabled }) => !enabled,
    );
    expect(gone).toMatchObject({ disabledReason: "gone", dead: 1 });
    expect(await mailbox.next(test.person.email)).toContain("status 410");
    await run();
    expect(await list(id)).toHaveLength(1);
  });

  it("does not resend what another attempt has claimed", async () => {
    const { db } = test.service.context;
    receiver.respond = fail(500);
    const id = await create();
    await run();
    await firstWith(id, 1);
    const now = Date.now() + hourMs;
    const claim = { webhookId: id, now, leaseUntil: now + 30_000, limit: 8 };
    const [one] = await claimDeliveries(db, claim);
    expect(one).toMatchObject({ attempt: 2, due_at: now + 30_000 });
    expect(await claimDeliveries(db, claim)).toEqual([]);
    // The node that claimed it stopped; another one takes it over at the end of the lease.
    const later = { ...claim, now: now + 30_001, leaseUntil: now + 60_001 };
    const [other] = await claimDeliveries(db, later);
    expect(other?.attempt).toBe(3);
    if (one === undefined || other === undefined) throw new Error("nothing was claimed");
    await writeOutcome(db, one, { state: "delivered" });
    expect((await list(id))[0].state).toBe("pending");
    await writeOutcome(db, other, { state: "delivered" });
    expect((await list(id))[0].state).toBe("delivered");
  });
});

describe("a receiver", () => {
  it("receives the event even if its response is endless", async () => {
    const id = await create();
    receiver.respond = (_request, response) => {
      response.writeHead(200);
      const more = () => {
        while (!response.destroyed && response.write("x".repeat(65_536)));
        if (!response.destroyed) response.once("drain", more);
      };
      more();
    };
    const { body } = await test.callAsOwner("POST", `/webhooks/${id}/test`);
    expect(body).toMatchObject({ delivered: true, status: 200 });
    expect(body.durationMs).toBeLessThan(5_000);
  });

  it.each([
    ["response byte by byte", true, "HTTP/1.1 200 OK\r\ncontent-length: 4000\r\n\r\n"],
    ["headers byte by byte", false, "HTTP/1.1 200 OK\r\nx-slow: "],
  ] as const)(
    "holds no request open by sending its %s",
    async (_, isDelivered, head) => {
      const id = await create();
      receiver.respond = (_request, { socket }) => {
        socket?.write(head);
        const timer = setInterval(() => socket?.write("x"), 200);
        socket?.once("close", () => clearInterval(timer)).on("error", () => undefined);
      };
      const { body } = await test.callAsOwner("POST", `/webhooks/${id}/test`);
      expect([body.delivered, body.status]).toEqual(isDelivered ? [true, 200] : [false, null]);
      expect(body.durationMs).toBeLessThan(17_000);
    },
    40_000,
  );

  it.each([301, 302, 303, 307, 308])(
    "is not followed to another address with status %i",
    async (status) => {
      const other = await startWebhookReceiver();
      try {
        const id = await create();
        receiver.respond = (_request, response) =>
          void response.writeHead(status, { location: other.url }).end();
        await run();
        expect(await firstWith(id, 1)).toMatchObject({ state: "pending", status });
        expect(other.received).toEqual([]);
      } finally {
        await other.close();
      }
    },
  );

  it("gets an event with headers of a megabyte answered as a failure", async () => {
    const id = await create();
    receiver.respond = (_request, { socket }) => {
      socket?.on("error", () => undefined);
      socket?.write(`HTTP/1.1 200 OK\r\nx-large: ${"x".repeat(1024 * 1024)}\r\n\r\n`);
    };
    const { body } = await test.callAsOwner("POST", `/webhooks/${id}/test`);
    expect(body).toMatchObject({ delivered: false, status: null });
  });

  it("gets no more requests once its webhook is deleted, also while one is in progress", async () => {
    const { db } = test.service.context;
    const id = await create();
    const open: (() => void)[] = [];
    receiver.respond = (_request, response) =>
      void open.push(() => void response.writeHead(503).end());
    for (let count = 0; count < 3; count++) await run();
    await receiver.wait(1);
    await test.callAsOwner("DELETE", `/webhooks/${id}`);
    for (let turn = 0; turn < 10; turn++) {
      for (const answer of open.splice(0)) answer();
      await sleep(20);
    }
    const { length } = receiver.received;
    wait(hourMs);
    await sleep(1_500);
    expect(receiver.received).toHaveLength(length);
    // One webhook at a time.
    while ((await deleteOldDeliveries(db, { now: Date.now(), limit: 100 })) > 0);
    const rows = db.kysely.selectFrom("webhook_deliveries").select("event_id");
    expect(await rows.where("webhook_id", "=", id).execute()).toEqual([]);
  });

  it("gets an event that is signed with a valid secret if that is rotated meanwhile", async () => {
    const created = (await test.callAsOwner("POST", "/webhooks", { url: receiver.url })).body;
    const path = `/webhooks/${created.id}/rotate-secret`;
    const first = String(created.secret);
    for (let count = 0; count < 4; count++) {
      await Promise.all([test.callAsOwner("POST", path), run(), run()]);
    }
    // The first secret is valid for another day.
    for (const request of await receiver.wait(8)) {
      expect(() => verifyWebhook(first, request)).not.toThrow();
    }
  });

  it("gets each dead letter once if they are requeued twice at once", async () => {
    const { db, clock } = test.service.context;
    const id = await create();
    for (let count = 0; count < 5; count++) await run();
    await receiver.wait(5);
    const state = async () => (await list(id)).map((one: { state: string }) => one.state);
    await expect.poll(state).toEqual(Array.from({ length: 5 }, () => "delivered"));
    await db.kysely
      .updateTable("webhook_deliveries")
      .set({ state: "dead", finished_at: clock.now() })
      .where("webhook_id", "=", id)
      .execute();
    receiver.received.length = 0;
    const path = `/webhooks/${id}/requeue-dead-letters`;
    const answers = await Promise.all([1, 2, 3].map(() => test.callAsOwner("POST", path)));
    for (const { status } of answers) expect(status).toBeLessThan(300);
    await receiver.wait(5);
    await sleep(1_500);
    expect(receiver.received).toHaveLength(5);
    expect(new Set(receiver.received.map((one) => one.id)).size).toBe(5);
    const [newest] = await list(id);
    const one = `/webhooks/${id}/deliveries/${newest.eventId}/requeue`;
    const twice = await Promise.all([1, 2].map(() => test.callAsOwner("POST", one)));
    expect(twice.map(({ status }) => status).filter((status) => status < 300)).not.toEqual([]);
    await sleep(1_500);
    expect(receiver.received.length).toBeLessThanOrEqual(7);
  });

  it("gets the event again after it closed the connection", async () => {
    const id = await create();
    receiver.respond = (_request, response) => void response.socket?.destroy();
    await run();
    expect(await firstWith(id, 1)).toMatchObject({ state: "pending", status: null });
  });

  it("delays no other webhook if it never responds, and times out after 15 seconds", async () => {
    const slow = await create({ url: `${receiver.url}/slow` });
    receiver.respond = ({ path }, response) => {
      if (!path.endsWith("/slow")) response.writeHead(204).end();
    };
    const fast = await create();
    for (let count = 0; count < 20; count++) await run();
    await until(
      () => list(fast, "?state=delivered"),
      (rows) => rows.length === 20,
    );
    const toSlow = receiver.received.filter(({ path }) => path.endsWith("/slow"));
    // Each batch has at most eight requests.
    expect(toSlow.length).toBeLessThanOrEqual(8);
    const failed = async () =>
      (await list(slow)).filter((one: { problem: string | null }) => one.problem !== null);
    const [timedOut] = await until(failed, (rows) => rows.length > 0);
    expect(timedOut.problem).toContain("did not respond in time");
  }, 60_000);
});

describe("a delivery", () => {
  it("is counted up to 100 per webhook, and up to 10,000 in total", async () => {
    const { db } = test.service.context;
    const id = await create({ events: ["run.cancelled"] });
    await test.callAsOwner("PATCH", `/webhooks/${id}`, { enabled: false });
    const add = async (prefix: string, state: string, count: number) =>
      sql`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(count)})
        insert into webhook_deliveries (webhook_id, event_id, run_id, tool_name, type, state, attempt,
          uncounted_attempts, due_at, created_at, expires_at)
        select ${id}, ${prefix} || n, 'r', 't', 'run.completed', ${state}, 0, 0, 1, 1, ${Date.now() + hourMs}
        from numbers`.execute(db.kysely);
    await add("p", "pending", 99);
    await add("d", "dead", 10_001);
    expect(await get(id)).toMatchObject({ pending: 99, dead: 100 });
    const { pending, dead, overdueMs } = await readTotals(db, Date.now());
    expect([dead, overdueMs]).toEqual([10_000, 0]);
    expect(pending).toBeGreaterThanOrEqual(99);
    expect(pending).toBeLessThan(200);
    await db.kysely.deleteFrom("webhook_deliveries").where("webhook_id", "=", id).execute();
  });

  it("disappears with its webhook", async () => {
    const { db } = test.service.context;
    const id = await create();
    receiver.respond = fail(500);
    await run();
    await firstWith(id, 1);
    await test.callAsOwner("DELETE", `/webhooks/${id}`);
    const rows = () =>
      db.kysely
        .selectFrom("webhook_deliveries")
        .select("event_id")
        .where("webhook_id", "=", id)
        .execute();
    expect(await rows()).toHaveLength(1);
    while ((await deleteOldDeliveries(db, { now: Date.now(), limit: 10 })) > 0);
    expect(await rows()).toEqual([]);
  });

  it("disappears with its workspace", async () => {
    const { db } = test.service.context;
    const workspaceId = await test.addWorkspace();
    const owner = await test.addSignedIn(workspaceId, "owner");
    const { apiKey } = await test.addPerson(workspaceId, "builder");
    const { body: webhook } = await owner.call("POST", "/webhooks", { url: receiver.url });
    receiver.respond = fail(500);
    const as = { authorization: `Bearer ${apiKey}` };
    const own = await test.call("POST", "/tools", draftOf("export default () => ({});"), as);
    await test.call("POST", `/run/${own.body.name}`, {}, as);
    await receiver.wait(1);
    const { name } = (await owner.call("GET", "/me")).body.workspace;
    const deleted = await owner.call("DELETE", `/workspaces/${workspaceId}`, { name });
    expect([deleted.status, deleted.text]).toEqual([204, ""]);
    while ((await deleteOldDeliveries(db, { now: Date.now(), limit: 10 })) > 0);
    for (const [table, column] of [
      ["webhooks", "id"],
      ["webhook_deliveries", "webhook_id"],
    ] as const) {
      const { rows } = await sql`select 1 from ${sql.table(table)}
        where ${sql.ref(column)} = ${webhook.id}`.execute(db.kysely);
      expect([table, rows]).toEqual([table, []]);
    }
  });

  it("disappears 7 days after it was delivered, and otherwise after 30", async () => {
    const { db } = test.service.context;
    const id = await create();
    await run();
    await until(
      () => list(id, "?state=delivered"),
      (rows) => rows.length === 1,
    );
    await test.callAsOwner("PATCH", `/webhooks/${id}`, { enabled: true });
    receiver.respond = fail(500);
    await run();
    await until(
      () => list(id, "?state=pending"),
      (rows) => rows.length === 1,
    );
    const left = async (days: number) => {
      const now = Date.now() + days * 24 * hourMs;
      while ((await deleteOldDeliveries(db, { now, limit: 10 })) > 0);
      return (await list(id)).map(({ state }: { state: string }) => state);
    };
    expect(await left(6)).toEqual(["pending", "delivered"]);
    expect(await left(8)).toEqual(["pending"]);
    expect(await left(31)).toEqual([]);
  });

  it("becomes a dead letter once the tool is private", async () => {
    const hidden = await test.makeTool("export default () => ({});");
    const id = await create();
    receiver.respond = fail(500);
    await test.call("POST", `/run/${hidden}`, {});
    await firstWith(id, 1);
    const change = { visibility: "private" };
    expect((await test.call("PATCH", `/tools/${hidden}`, change)).status).toBe(200);
    wait(10_000);
    const [dead] = await until(
      () => list(id, "?state=dead"),
      (rows) => rows.length === 1,
    );
    expect(dead.problem).toContain("no longer visible");
    expect(receiver.received).toHaveLength(1);
  });

  it("ends the failing state if it ends without an attempt, so that a quiet time is no failure", async () => {
    const hidden = await test.makeTool("export default () => ({});");
    const id = await create();
    receiver.respond = fail(500);
    await test.call("POST", `/run/${hidden}`, {});
    await firstWith(id, 1);
    await test.call("PATCH", `/tools/${hidden}`, { visibility: "private" });
    wait(10_000);
    await until(
      () => get(id),
      ({ dead }) => dead === 1,
    );
    wait(73 * hourMs);
    await run();
    expect(await firstWith(id, 1)).toMatchObject({ state: "pending", status: 500 });
    const { enabled, failingSince } = await until(
      () => get(id),
      (one) => !one.enabled || one.failingSince !== null,
    );
    expect(enabled).toBe(true);
    expect(Date.parse(failingSince)).toBeGreaterThan(Date.now() + 72 * hourMs);
  });
});
