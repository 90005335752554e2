import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate } from "node:timers/promises";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { keyedRequest } from "#core/kernel";
import type { Caller } from "#core/kernel";
import { runTool, stopRevokedRuns } from "#core/runs";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

let test: TestService;
let upstream: Server;
/** The statuses of all runs in the database at the time of each request to the upstream server. */
const seen: string[][] = [];
let caller: string;
let adder: string;

beforeAll(async () => {
  upstream = createServer((_request, response) => {
    void statuses().then((found) => {
      seen.push(found);
      response.end("done");
    });
  });
  await new Promise<void>((resolve) => void upstream.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  test = await startTestService({ EGRESS_PRIVATE_HOSTS: host });
  caller = await test.makeTool(
    `export default async () => ({ text: await (await fetch("http://${host}/")).text() });`,
    { allowedHosts: [`http://${host}`] },
  );
  adder = await test.makeTool(
    "export default ({ a, b }) => { console.log('adding'); return { sum: a + b }; }",
  );
});
afterAll(async () => {
  await test.stop();
  upstream.close();
});
beforeEach(async () => {
  seen.length = 0;
  await db().deleteFrom("runs").execute();
});

const db = () => test.service.context.db.kysely;
async function statuses(): Promise<string[]> {
  const rows = await db().selectFrom("runs").select("status").execute();
  return rows.map(({ status }) => status);
}
const run = (tool: string, key?: string) =>
  test.call(
    "POST",
    `/run/${tool}`,
    { a: 1, b: 2 },
    key === undefined ? {} : { "idempotency-key": key },
  );

/** The caller of a request that was authenticated. */
const callerOf = (userId: string): Caller => ({
  userId,
  workspaceId: test.workspaceId,
  role: "builder",
  scopes: new Set(["mcp:execute"]),
  actor: { userId },
  via: "rest",
  requestId: "request",
  ip: null,
});
function keyOf(user: Caller) {
  const sent = { method: "POST", path: "/run", body: {} };
  const request = keyedRequest(test.service.context, user, crypto.randomUUID(), sent);
  return { request, headers: {} };
}

/** Makes the database refuse new runs while `work` executes. */
async function withoutInserts(work: () => Promise<void>): Promise<void> {
  const { dialect, kysely } = test.service.context.db;
  const statements =
    dialect === "sqlite"
      ? [
          sql`create trigger refuse before insert on runs begin select raise(abort, 'refused'); end`,
          sql`drop trigger refuse`,
        ]
      : [
          sql.raw(`
            create function refuse() returns trigger language plpgsql
            as $$ begin raise exception 'refused'; end $$;
            create trigger refuse before insert on runs execute function refuse()`),
          sql`drop function refuse cascade`,
        ];
  await statements[0]?.execute(kysely);
  try {
    await work();
  } finally {
    await statements[1]?.execute(kysely);
  }
}

describe("the record of a run", () => {
  it("is complete when the run is answered", async () => {
    const { body } = await run(adder);
    expect(body).toMatchObject({ status: "completed", output: { sum: 3 } });
    expect((await test.call("GET", `/runs/${body.runId}`)).body).toMatchObject({
      status: "completed",
      output: { sum: 3 },
      input: { a: 1, b: 2 },
    });
    const logs = await test.call("GET", `/runs/${body.runId}/logs`);
    expect(logs.text).toContain('"adding"');
    const { body: events } = await test.call("GET", `/audit-events?target=${body.runId}`);
    expect(events).toMatchObject([{ action: "run.create", outcome: "success" }]);
  });

  it("is in the database before a request of the tool is sent", async () => {
    expect((await run(caller)).body).toMatchObject({
      status: "completed",
      output: { text: "done" },
    });
    expect(seen).toEqual([["running"]]);
  });

  it("is in the database before a caller learns that the run continues", async () => {
    const tool = await test.makeTool(
      "export default () => new Promise((resolve) => setTimeout(resolve, 1_500));",
    );
    const { body } = await test.call("POST", `/run/${tool}`, {}, { prefer: "wait=1" });
    expect(body).toMatchObject({ status: "running" });
    expect(await statuses()).toEqual(["running"]);
    await expect.poll(statuses).toEqual(["completed"]);
  });

  it("is in the database while a longer run executes", async () => {
    const tool = await test.makeTool(
      "export default () => new Promise((resolve) => setTimeout(resolve, 300));",
    );
    const answer = run(tool);
    await expect.poll(statuses, { interval: 5 }).toEqual(["running"]);
    expect((await answer).body).toMatchObject({ status: "completed" });
  });

  it("prevents requests of the tool if it cannot be written", async () => {
    await withoutInserts(async () => {
      expect((await run(caller)).status).toBeGreaterThanOrEqual(500);
      expect((await run(adder)).status).toBeGreaterThanOrEqual(500);
    });
    expect(seen).toEqual([]);
    expect(await statuses()).toEqual([]);
    expect((await run(caller)).body).toMatchObject({ output: { text: "done" } });
  });

  it("exists once for requests with one Idempotency-Key at the same time", async () => {
    const key = crypto.randomUUID();
    const answers = await Promise.all(Array.from({ length: 6 }, () => run(caller, key)));
    expect(seen).toHaveLength(1);
    expect(await statuses()).toEqual(["completed"]);
    for (const { status, body } of answers) {
      expect(status === 200 ? body.output.text : body.code).toBe(
        status === 200 ? "done" : "idempotency_in_flight",
      );
    }
    const first = answers.find(({ status }) => status === 200);
    const replay = await run(caller, key);
    expect(replay.text).toBe(first?.text);
    expect(seen).toHaveLength(1);
  });

  it.each([
    ["short", "export default () => ({});", 5_000, undefined],
    ["short", "export default () => ({});", 5_000, "key"],
    ["long", "export default () => new Promise((done) => setTimeout(done, 200));", 5_000, "key"],
    ["asynchronous", "export default () => ({});", 0, undefined],
  ])("is never written for a user who was removed: a %s run", async (_, code, waitMs, hasKey) => {
    const { service, workspaceId } = test;
    const { userId } = await test.addPerson(workspaceId, "builder");
    const toolName = await test.makeTool(code);
    await db().deleteFrom("members").where("user_id", "=", userId).execute();
    const removed = callerOf(userId);
    const key = hasKey === undefined ? undefined : keyOf(removed);
    const runs = runTool(service.context, removed, { toolName, input: {}, waitMs, key });
    await expect(runs).rejects.toMatchObject({ code: "unauthenticated" });
    expect(await statuses()).toEqual([]);
  });

  it("lets a run be stopped before it is written", async () => {
    const { context } = test.service;
    const { userId } = await test.addPerson(test.workspaceId, "builder");
    const toolName = await test.makeTool(
      "export default () => new Promise((done) => setTimeout(done, 20_000));",
    );
    const answer = runTool(context, callerOf(userId), { toolName, input: {}, waitMs: 30_000 });
    while (context.runs.activeRuns.size === 0) await setImmediate();
    await stopRevokedRuns(context, { workspaceId: test.workspaceId, userId });
    expect(await answer).toMatchObject({ status: "cancelled" });
  });

  it("makes a replay return the same bytes without running the tool", async () => {
    const key = crypto.randomUUID();
    const first = await run(adder, key);
    const second = await run(adder, key);
    expect(second.text).toBe(first.text);
    expect(second.headers.get("idempotent-replay")).toBe("true");
    expect(await statuses()).toEqual(["completed"]);
  });
});
