import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "#lib/ids";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";
import { insertRun } from "./begin-store.ts";
import { inputColumns } from "./recorded-input.ts";
import { takeOverForgottenRuns, takeOverRuns } from "./take-over-runs.ts";

let test: TestService;
let name: string;
beforeAll(async () => {
  test = await startTestService();
  name = await test.makeTool(
    "export default ({ ms }) => new Promise((resolve) => setTimeout(() => resolve({}), ms))",
  );
});
afterAll(() => test.stop());

/** A run of the tool that some node began and never ended. */
async function leaveRun(
  nodeId: string,
  startedAt: number,
  tool = name,
  input = { whole: '{"ms":1}', shown: '{"ms":1}' },
): Promise<string> {
  const { context } = test.service;
  const { id: toolId } = await context.db.kysely
    .selectFrom("tools")
    .select("id")
    .where("name", "=", tool)
    .executeTakeFirstOrThrow();
  const id = newId();
  const run = {
    id,
    workspace_id: test.workspaceId,
    tool_id: toolId,
    tool_name: tool,
    tool_version: 1,
    user_id: newId(),
    status: "running",
    queued: 0,
    via: "rest",
    actor: JSON.stringify({ userId: null }),
    request_id: null,
    ip: null,
    ...inputColumns(context, id, input),
    node_id: nodeId,
    created_at: startedAt,
    started_at: startedAt,
    idempotency_id: null,
    attempt: 1,
    parent_run_id: null,
    draft_id: null,
    is_private: 0,
  };
  await insertRun(context.db, run, undefined, undefined);
  return id;
}

const lost = () => (test.service.context.db.dialect === "sqlite" ? "interrupted" : "sandbox_lost");

describe("runs that nobody works on", () => {
  it("end when their node is no more, once, with an event", async () => {
    const { context } = test.service;
    const id = await leaveRun(newId(), Date.now());
    const live = [context.nodeId];
    const counts = await Promise.all([takeOverRuns(context, live), takeOverRuns(context, live)]);
    expect(counts.toSorted()).toEqual([0, 1]);
    const { body } = await test.call("GET", `/runs/${id}`);
    expect(body).toMatchObject({ status: "failed", error: { code: lost() }, attempt: 1 });
    const { body: events } = await test.call("GET", `/audit-events?target=${id}`);
    expect(events).toMatchObject([{ action: "run.create", outcome: lost() }]);
  });

  it("are taken again when the tool calls itself idempotent, so often and no oftener", async () => {
    const { context } = test.service;
    const idempotent = await test.makeTool("export default () => ({ done: true })", {
      idempotent: true,
    });
    const id = await leaveRun(newId(), Date.now(), idempotent);
    await takeOverRuns(context, [context.nodeId]);
    await expect
      .poll(async () => (await test.call("GET", `/runs/${id}`)).body)
      .toMatchObject({ status: "completed", output: { done: true }, attempt: 2 });
    const worn = await leaveRun(newId(), Date.now(), idempotent);
    await context.db.kysely
      .updateTable("runs")
      .set({ attempt: 3 })
      .where("id", "=", worn)
      .execute();
    await takeOverRuns(context, [context.nodeId]);
    expect((await test.call("GET", `/runs/${worn}`)).body).toMatchObject({
      status: "failed",
      error: { code: lost() },
    });
  });

  it("are taken again with the whole input, of which the record shows less", async () => {
    const { context } = test.service;
    const echo = await test.makeTool("export default ({ pin }) => ({ length: pin.length })", {
      idempotent: true,
    });
    const input = { whole: '{"pin":"1234567"}', shown: '{"pin":"[redacted]"}' };
    const id = await leaveRun(newId(), Date.now(), echo, input);
    await takeOverRuns(context, [context.nodeId]);
    await expect
      .poll(async () => (await test.call("GET", `/runs/${id}`)).body)
      .toMatchObject({ status: "completed", output: { length: 7 }, input: { pin: "[redacted]" } });
    const { sealed_input: sealed } = await context.db.kysely
      .selectFrom("runs")
      .select("sealed_input")
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    expect(sealed).toBe(null);
  });

  it("end as cancelled when somebody had asked for that", async () => {
    const { context } = test.service;
    const id = await leaveRun(newId(), Date.now());
    await context.db.kysely
      .updateTable("runs")
      .set({ cancel_requested: 1 })
      .where("id", "=", id)
      .execute();
    await takeOverRuns(context, [context.nodeId]);
    expect((await test.call("GET", `/runs/${id}`)).body.status).toBe("cancelled");
  });

  it("end when this node has forgotten them, and those it works on go on", async () => {
    const { context } = test.service;
    const forgotten = await leaveRun(context.nodeId, Date.now() - 60_000);
    const young = await leaveRun(context.nodeId, Date.now());
    const { body: kept } = await test.call(
      "POST",
      `/run/${name}`,
      { ms: 20_000 },
      { prefer: "wait=0" },
    );
    const { now } = context.clock;
    expect(await takeOverForgottenRuns(context)).toBe(1);
    context.clock.now = () => Date.now() + 60_000;
    expect(await takeOverForgottenRuns(context)).toBe(1);
    context.clock.now = now;
    const statuses = await Promise.all(
      [forgotten, young, kept.runId].map(
        async (id) => (await test.call("GET", `/runs/${id}`)).body.status,
      ),
    );
    expect(statuses).toEqual(["failed", "failed", "running"]);
    await test.call("POST", `/runs/${kept.runId}/cancel`);
  });

  it("cannot be ended any more by the node that they were taken from", async () => {
    const { context } = test.service;
    const { body } = await test.call("POST", `/run/${name}`, { ms: 700 }, { prefer: "wait=0" });
    await takeOverRuns(context, ["some other node"]);
    const taken = await test.call("GET", `/runs/${body.runId}`);
    expect(taken.body).toMatchObject({ status: "failed", error: { code: lost() } });
    await context.runs.activeRuns.get(body.runId)?.ended;
    expect((await test.call("GET", `/runs/${body.runId}`)).text).toBe(taken.text);
  });
});

describe("a node that no message reaches", () => {
  it("still learns of a cancel, and takes runs that wait", async () => {
    const { context } = test.service;
    const { body } = await test.call("POST", `/run/${name}`, { ms: 60_000 }, { prefer: "wait=0" });
    await context.db.kysely
      .updateTable("runs")
      .set({ cancel_requested: 1 })
      .where("id", "=", body.runId)
      .execute();
    const statusOf = async (id: string) => (await test.call("GET", `/runs/${id}`)).body.status;
    if (context.db.dialect === "sqlite") {
      // There is nobody else who could have asked, so nobody looks.
      await test.call("POST", `/runs/${body.runId}/cancel`);
    }
    await expect.poll(() => statusOf(body.runId), { timeout: 5_000 }).toBe("cancelled");
    const waiting = await leaveRun("", Date.now());
    await context.db.kysely
      .updateTable("runs")
      .set({ queued: 1 })
      .where("id", "=", waiting)
      .execute();
    if (context.db.dialect === "sqlite") context.runs.queue.wake();
    await expect.poll(() => statusOf(waiting), { timeout: 5_000 }).toBe("completed");
  });
});

describe("the queue", () => {
  it("lets whoever has the fewest at work go first, then the oldest", async () => {
    const { context } = test.service;
    // The order is looked at here before anybody takes them.
    await context.runs.queue.stop();
    const { findNextInLine } = await import("./next-in-line.ts");
    const [crowded, quiet] = [await test.addWorkspace(), await test.addWorkspace()];
    const queue = async (workspace: string) => {
      const id = await leaveRun("", Date.now());
      await context.db.kysely
        .updateTable("runs")
        .set({ workspace_id: workspace, queued: 1 })
        .where("id", "=", id)
        .execute();
      return id;
    };
    const ids: string[] = [];
    for (const workspace of [crowded, crowded, crowded, quiet, quiet])
      ids.push(await queue(workspace));
    const config = { ...context.config, WORKSPACE_MAX_CONCURRENT_RUNS: 2 };
    const { next, waiting } = await findNextInLine({ ...context, config }, 10);
    expect(next.map(({ id }) => ids.indexOf(id))).toEqual([0, 3, 1, 4]);
    expect(waiting.toSorted()).toEqual([crowded, quiet].toSorted());
    expect((await findNextInLine(context, 0)).next).toEqual([]);
  });
});

describe("a request that waits for a run", () => {
  it("is told of its end only, and not that its first node has lost it", async () => {
    const { context } = test.service;
    const { waitForQueuedRun } = await import("./wait-for-run.ts");
    const id = await leaveRun("another node", Date.now());
    const row = await context.db.kysely
      .selectFrom("runs")
      .selectAll()
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    const result = { runId: id, status: "running" as const, toolUrl: "http://localhost/x" };
    const answer = waitForQueuedRun(context, { run: row, result, waitMs: 20_000, recordId: null });
    context.runs.completions.notify(id);
    await new Promise((resolve) => setTimeout(resolve, 300));
    await takeOverRuns(context, [context.nodeId]);
    expect(await answer).toMatchObject({ status: "failed", error: { code: lost() } });
  });
});
