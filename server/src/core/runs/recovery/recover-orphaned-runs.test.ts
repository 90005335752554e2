import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "#lib/ids";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";
import type { RunTable } from "#db";
import { findNextRuns } from "../queue/claim-runs.ts";
import { inputColumns } from "../recorded-input.ts";
import { insertRun } from "../run-store.ts";
import { waitForCompletion } from "../wait.ts";
import { recoverOrphanedRuns, recoverOwnOrphanedRuns } from "./recover-orphaned-runs.ts";

let test: TestService;
let name: string;
beforeAll(async () => {
  test = await startTestService();
  name = await test.makeTool(
    "export default ({ ms }) => new Promise((resolve) => setTimeout(() => resolve({}), ms))",
  );
});
afterAll(() => test.stop());

type Options = {
  nodeId: string;
  startedAt?: number;
  tool?: string;
  input?: { whole: string; shown: string };
  /** Columns that differ from those of a new run. */
  columns?: Partial<RunTable>;
};

/** Writes a run that a node started and never ended. */
async function orphanRun({
  nodeId,
  startedAt = Date.now(),
  tool = name,
  input = { whole: '{"ms":1}', shown: '{"ms":1}' },
  columns = {},
}: Options): Promise<string> {
  const { context } = test.service;
  const { id: toolId } = await context.db.kysely
    .selectFrom("tools")
    .select("id")
    .where("name", "=", tool)
    .executeTakeFirstOrThrow();
  const { user_id: userId } = await context.db.kysely
    .selectFrom("members")
    .select("user_id")
    .where("workspace_id", "=", test.workspaceId)
    .limit(1)
    .executeTakeFirstOrThrow();
  const id = newId();
  const run = {
    id,
    workspace_id: test.workspaceId,
    tool_id: toolId,
    tool_name: tool,
    tool_version: 1,
    user_id: userId,
    status: "running",
    queued: 0,
    via: "rest",
    actor: JSON.stringify({ userId: null }),
    request_id: null,
    ip: null,
    ...inputColumns(context, id, input),
    // Background tasks leave a run of a live node alone until it has its columns.
    node_id: context.nodeId,
    created_at: startedAt,
    started_at: startedAt,
    idempotency_id: null,
    attempt: 1,
    parent_run_id: null,
    draft_id: null,
    trace_context: null,
    is_private: 0,
  };
  await insertRun(context.db, run, undefined, undefined);
  await context.db.kysely
    .updateTable("runs")
    .set({ ...columns, node_id: nodeId })
    .where("id", "=", id)
    .execute();
  return id;
}

const lost = () => (test.service.context.db.dialect === "sqlite" ? "interrupted" : "sandbox_lost");

describe("recoverOrphanedRuns", () => {
  it("ends a run of an offline node once, with an audit event", async () => {
    const { context } = test.service;
    const id = await orphanRun({ nodeId: newId() });
    const live = [context.nodeId];
    const counts = await Promise.all([
      recoverOrphanedRuns(context, live),
      recoverOrphanedRuns(context, live),
    ]);
    expect(counts.toSorted()).toEqual([0, 1]);
    const { body } = await test.call("GET", `/runs/${id}`);
    expect(body).toMatchObject({ status: "failed", error: { code: lost() }, attempt: 1 });
    const { body: events } = await test.call("GET", `/audit-events?target=${id}`);
    expect(events).toMatchObject([{ action: "run.create", outcome: lost() }]);
  });

  it("retries a run of an idempotent tool a limited number of times", async () => {
    const { context } = test.service;
    const idempotent = await test.makeTool("export default () => ({ done: true })", {
      idempotent: true,
    });
    const id = await orphanRun({ nodeId: newId(), tool: idempotent });
    await recoverOrphanedRuns(context, [context.nodeId]);
    await expect
      .poll(async () => (await test.call("GET", `/runs/${id}`)).body)
      .toMatchObject({ status: "completed", output: { done: true }, attempt: 2 });
    const columns = { attempt: 3 };
    const last = await orphanRun({ nodeId: newId(), tool: idempotent, columns });
    await recoverOrphanedRuns(context, [context.nodeId]);
    expect((await test.call("GET", `/runs/${last}`)).body).toMatchObject({
      status: "failed",
      error: { code: lost() },
    });
  });

  it("retries with the whole input, parts of which the record redacts", async () => {
    const { context } = test.service;
    const echo = await test.makeTool("export default ({ pin }) => ({ length: pin.length })", {
      idempotent: true,
    });
    const input = { whole: '{"pin":"1234567"}', shown: '{"pin":"[redacted]"}' };
    const id = await orphanRun({ nodeId: newId(), tool: echo, input });
    await recoverOrphanedRuns(context, [context.nodeId]);
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

  it("ends a run as cancelled when its cancellation was requested", async () => {
    const { context } = test.service;
    const id = await orphanRun({ nodeId: newId(), columns: { cancel_requested: 1 } });
    await recoverOrphanedRuns(context, [context.nodeId]);
    expect((await test.call("GET", `/runs/${id}`)).body.status).toBe("cancelled");
  });

  it("ends runs that this node does not execute, while its active runs continue", async () => {
    const { context } = test.service;
    const { nodeId } = context;
    const old = await orphanRun({ nodeId, startedAt: Date.now() - 60_000 });
    const young = await orphanRun({ nodeId });
    const { body: active } = await test.call(
      "POST",
      `/run/${name}`,
      { ms: 20_000 },
      { prefer: "wait=0" },
    );
    const clock = { ...context.clock };
    expect(await recoverOwnOrphanedRuns(context)).toBe(1);
    context.clock.now = () => Date.now() + 60_000;
    expect(await recoverOwnOrphanedRuns(context)).toBe(1);
    Object.assign(context.clock, clock);
    const statuses = await Promise.all(
      [old, young, active.runId].map(
        async (id) => (await test.call("GET", `/runs/${id}`)).body.status,
      ),
    );
    expect(statuses).toEqual(["failed", "failed", "running"]);
    await test.call("POST", `/runs/${active.runId}/cancel`);
  });

  it("queues a run again if its claim was not confirmed, and not if its tool may have started", async () => {
    const { context } = test.service;
    const startedAt = Date.now() - 60_000;
    const columns = { started_at: startedAt + 5 };
    const unconfirmed = await orphanRun({ nodeId: context.nodeId, startedAt, columns });
    const executed = await orphanRun({ nodeId: context.nodeId, startedAt, columns });
    context.runs.notStarted.add(unconfirmed);
    expect(await recoverOwnOrphanedRuns(context)).toBe(2);
    const read = async (id: string) => (await test.call("GET", `/runs/${id}`)).body;
    await expect.poll(() => read(unconfirmed)).toMatchObject({ status: "completed", attempt: 2 });
    expect(await read(executed)).toMatchObject({ status: "failed", attempt: 1 });
    expect(context.runs.notStarted.has(unconfirmed)).toBe(false);
  });

  it("prevents the node that lost a run from ending it", async () => {
    const { context } = test.service;
    const { body } = await test.call("POST", `/run/${name}`, { ms: 700 }, { prefer: "wait=0" });
    await recoverOrphanedRuns(context, ["some other node"]);
    const recovered = await test.call("GET", `/runs/${body.runId}`);
    expect(recovered.body).toMatchObject({ status: "failed", error: { code: lost() } });
    await context.runs.activeRuns.get(body.runId)?.ended;
    expect((await test.call("GET", `/runs/${body.runId}`)).text).toBe(recovered.text);
  });
});

describe("a node that receives no messages", () => {
  it("cancels and claims runs by polling", async () => {
    const { context } = test.service;
    const { body } = await test.call("POST", `/run/${name}`, { ms: 60_000 }, { prefer: "wait=0" });
    await context.db.kysely
      .updateTable("runs")
      .set({ cancel_requested: 1 })
      .where("id", "=", body.runId)
      .execute();
    const statusOf = async (id: string) => (await test.call("GET", `/runs/${id}`)).body.status;
    if (context.db.dialect === "sqlite") {
      // The only node does not poll for cancellations of others.
      await test.call("POST", `/runs/${body.runId}/cancel`);
    }
    await expect.poll(() => statusOf(body.runId), { timeout: 5_000 }).toBe("cancelled");
    const queued = await orphanRun({ nodeId: "", columns: { queued: 1 } });
    if (context.db.dialect === "sqlite") context.runs.queue.wake();
    await expect.poll(() => statusOf(queued), { timeout: 5_000 }).toBe("completed");
  });
});

/** Makes the database refuse claims, until the returned function is called. */
async function refuseClaims(): Promise<() => Promise<void>> {
  const { dialect, kysely } = test.service.context.db;
  const execute = async (statement: string) => void (await sql.raw(statement).execute(kysely));
  if (dialect === "sqlite") {
    await execute(
      `create trigger refuse_claims before update on runs when old.queued = 1 and new.queued = 0
       begin select raise(abort, 'refused'); end`,
    );
    return () => execute("drop trigger refuse_claims");
  }
  await execute(
    `create function refuse_claim() returns trigger language plpgsql
     as $$ begin raise exception 'refused'; end $$`,
  );
  await execute(
    `create trigger refuse_claims before update on runs
     for each row when (old.queued = 1 and new.queued = 0) execute function refuse_claim()`,
  );
  return () => execute("drop trigger refuse_claims on runs");
}

describe("the queue", () => {
  it("knows which claims it could not confirm until they succeed", async () => {
    const { queue, notStarted } = test.service.context.runs;
    const accept = await refuseClaims();
    const id = await orphanRun({ nodeId: "", columns: { queued: 1 } });
    queue.wake();
    await expect.poll(() => notStarted.has(id)).toBe(true);
    await accept();
    await expect
      .poll(async () => (await test.call("GET", `/runs/${id}`)).body)
      .toMatchObject({ status: "completed", attempt: 1 });
    expect(notStarted.has(id)).toBe(false);
  });

  it("starts runs of the workspace with the fewest running ones first, then the oldest", async () => {
    const { context } = test.service;
    // So that no run is claimed before its order is checked.
    await context.runs.queue.stop();
    const [crowded, quiet] = [await test.addWorkspace(), await test.addWorkspace()];
    const queue = (workspace: string) =>
      orphanRun({ nodeId: "", columns: { workspace_id: workspace, queued: 1 } });
    const ids: string[] = [];
    for (const workspace of [crowded, crowded, crowded, quiet, quiet])
      ids.push(await queue(workspace));
    const config = { ...context.config, WORKSPACE_MAX_CONCURRENT_RUNS: 2 };
    const { next, workspaceIds } = await findNextRuns({ ...context, config }, 10);
    expect(next.map(({ id }) => ids.indexOf(id))).toEqual([0, 3, 1, 4]);
    expect(workspaceIds.toSorted()).toEqual([crowded, quiet].toSorted());
    expect((await findNextRuns(context, 0)).next).toEqual([]);
  });
});

describe("waitForCompletion", () => {
  it("resolves at the run's end, and not when its first node has lost it", async () => {
    const { context } = test.service;
    const id = await orphanRun({ nodeId: "another node" });
    const row = await context.db.kysely
      .selectFrom("runs")
      .selectAll()
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    const result = { runId: id, status: "running" as const, toolUrl: "http://localhost/x" };
    const response = waitForCompletion(context, { run: row, result, waitMs: 20_000 });
    context.runs.completions.notify(id);
    await new Promise((resolve) => setTimeout(resolve, 300));
    await recoverOrphanedRuns(context, [context.nodeId]);
    expect(await response).toMatchObject({ status: "failed", error: { code: lost() } });
  });
});
