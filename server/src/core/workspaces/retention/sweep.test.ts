import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Context } from "#core/context";
import { idFloor, newId } from "#lib/ids";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";
import { sweep } from "./sweep.ts";

const dayMs = 86_400_000;
let test: TestService;
beforeAll(async () => {
  test = await startTestService();
});
afterAll(() => test.stop());

const db = () => test.service.context.db;
const kept = { RUN_RETENTION_DAYS: 90, RUN_LOG_RETENTION_DAYS: 30, AUDIT_RETENTION_DAYS: 365 };

/** Sweeps as a service with these settings would. */
async function sweepWith(settings: Partial<Context["config"]>, rest: Partial<Context> = {}) {
  const { context } = test.service;
  const config = { ...context.config, ...kept, ...settings };
  await sweep({ ...context, ...rest, config }, new AbortController().signal);
}

/** A run's id of so many days ago. */
function idOfAge(days: number): string {
  return idFloor(Date.now() - days * dayMs).slice(0, 14) + newId().slice(14);
}

const batchIds = async () =>
  (await db().kysely.selectFrom("run_batches").select("id").orderBy("id").execute()).map(
    ({ id }) => id,
  );

async function insertBatch(id: string): Promise<void> {
  const batch = { workspace_id: test.workspaceId, user_id: "user", tool_name: "tool", total: 2 };
  const row = { ...batch, id, is_cancelled: 0, created_at: 0 };
  await db().kysely.insertInto("run_batches").values(row).execute();
}

async function insertRuns(
  ids: readonly string[],
  status = "completed",
  batchId: string | null = null,
): Promise<void> {
  const run = {
    workspace_id: test.workspaceId,
    tool_id: "tool",
    tool_name: "tool",
    tool_version: 1,
    user_id: "user",
    status,
    queued: 0,
    via: "rest",
    actor: "{}",
    input: "{}",
    // The service recovers unfinished runs of nodes that are offline.
    node_id: test.service.context.nodeId,
    created_at: 0,
    logs_truncated: 0,
    cancel_requested: 0,
    attempt: 1,
    is_private: 0,
  };
  const rest = { request_id: null, ip: null, output: null, error: null, progress: null };
  const times = { started_at: null, finished_at: null, duration_ms: null, cpu_ms: null };
  const rows = ids.map((id) => ({
    ...run,
    ...rest,
    ...times,
    idempotency_id: null,
    parent_run_id: null,
    batch_id: batchId,
    id,
  }));
  await db().kysely.insertInto("runs").values(rows).execute();
}

async function insertLog(runId: string): Promise<void> {
  const log = { run_id: runId, chunk: 0, line_count: 1, body: Buffer.from("log") };
  await db().kysely.insertInto("run_logs").values(log).execute();
}

async function insertRecord(id: string, createdAt: number): Promise<void> {
  const record = {
    id,
    workspace_id: test.workspaceId,
    fingerprint: "",
    node_id: "node",
    claim: "",
    run_id: null,
    created_at: createdAt,
    status: 200,
    headers: "{}",
    body: null,
    is_encrypted: 0,
  };
  await db().kysely.insertInto("idempotency_records").values(record).execute();
}

const runIds = async () =>
  (await db().kysely.selectFrom("runs").select("id").orderBy("id").execute()).map(({ id }) => id);
const logIds = async () =>
  (await db().kysely.selectFrom("run_logs").select("run_id").orderBy("run_id").execute()).map(
    (row) => row.run_id,
  );

describe("the sweep of old data", () => {
  beforeEach(async () => {
    await db().kysely.deleteFrom("runs").execute();
    await db().kysely.deleteFrom("run_logs").execute();
    await db().kysely.deleteFrom("run_batches").execute();
    await db().kysely.deleteFrom("task_locks").execute();
  });

  it("deletes runs and logs that are older than their retention", async () => {
    const [ancient, old, recent] = [idOfAge(91), idOfAge(31), idOfAge(29)];
    await insertRuns([ancient, old, recent]);
    for (const id of [ancient, old, recent]) await insertLog(id);
    await sweepWith({});
    expect(await runIds()).toEqual([old, recent]);
    expect(await logIds()).toEqual([recent]);
  });

  it("retains a run in progress and its log, regardless of their age", async () => {
    const [ended, underWay] = [idOfAge(1_000), idOfAge(1_000)];
    await insertRuns([ended]);
    await insertRuns([underWay], "running");
    await insertLog(underWay);
    await sweepWith({});
    expect(await runIds()).toEqual([underWay]);
    expect(await logIds()).toEqual([underWay]);
  });

  it("retains data indefinitely when the retention is 0 days", async () => {
    const ancient = idOfAge(10_000);
    await insertRuns([ancient]);
    await insertLog(ancient);
    await sweepWith({ RUN_RETENTION_DAYS: 0, RUN_LOG_RETENTION_DAYS: 0 });
    expect(await runIds()).toEqual([ancient]);
    expect(await logIds()).toEqual([ancient]);
  });

  it("deletes a log with its run, even when logs are retained indefinitely", async () => {
    const ancient = idOfAge(91);
    await insertRuns([ancient]);
    await insertLog(ancient);
    await sweepWith({ RUN_LOG_RETENTION_DAYS: 0 });
    expect([await runIds(), await logIds()]).toEqual([[], []]);
  });

  it("deletes a batch with the last of its runs, by the retention of the server or the workspace", async () => {
    const [gone, partly, left] = [idOfAge(91), idOfAge(91), idOfAge(40)];
    for (const id of [gone, partly, left]) await insertBatch(id);
    const [first, second] = [idOfAge(91), idOfAge(91)];
    const [third, underWay, recent] = [idOfAge(91), idOfAge(91), idOfAge(40)];
    await insertRuns([first, second], "completed", gone);
    await insertRuns([third], "completed", partly);
    await insertRuns([underWay], "running", partly);
    await insertRuns([recent], "completed", left);
    await sweepWith({});
    expect(await runIds()).toEqual([underWay, recent].toSorted());
    expect(await batchIds()).toEqual([partly, left].toSorted());
    const retainFor = (days: number | null) =>
      db()
        .kysely.updateTable("workspaces")
        .set({ run_retention_days: days })
        .where("id", "=", test.workspaceId)
        .execute();
    await retainFor(30);
    await sweepWith({ RUN_RETENTION_DAYS: 0 });
    await retainFor(null);
    expect(await runIds()).toEqual([underWay]);
    expect(await batchIds()).toEqual([partly]);
  });

  it("deletes any number of rows, batch by batch", async () => {
    const recent = idOfAge(1);
    for (let part = 0; part < 5; part++) {
      await insertRuns(Array.from({ length: 500 }, () => idOfAge(100 + Math.random() * 100)));
    }
    await insertRuns([recent]);
    await sweepWith({});
    expect(await runIds()).toEqual([recent]);
  });

  it("deletes an Idempotency-Key once it has expired", async () => {
    await insertRecord("key:1/over", Date.now() - 3 * 3_600_000);
    await insertRecord("key:1/still", Date.now() - 1 * 3_600_000);
    await sweepWith({ IDEMPOTENCY_RETENTION_MS: 2 * 3_600_000 });
    const records = await db()
      .kysely.selectFrom("idempotency_records")
      .select("id")
      .where("id", "like", "key:1/%")
      .execute();
    expect(records).toEqual([{ id: "key:1/still" }]);
  });

  it("calculates ages by the database's clock, not the node's", async () => {
    const recent = idOfAge(1);
    await insertRuns([recent]);
    await sweepWith({}, { clock: { now: () => Date.now() + 1_000 * dayMs } });
    expect(await runIds()).toEqual([recent]);
  });

  it("skips the work while another node holds the lock, until that lock expires", async () => {
    const ancient = idOfAge(91);
    await insertRuns([ancient]);
    const holder = { name: "retention", holder: "other", expires_at: Date.now() + 30_000 };
    await db().kysely.insertInto("task_locks").values(holder).execute();
    await sweepWith({});
    expect(await runIds()).toEqual([ancient]);
    await db()
      .kysely.updateTable("task_locks")
      .set({ expires_at: Date.now() - 1_000 })
      .execute();
    await sweepWith({});
    expect(await runIds()).toEqual([]);
  });

  it("stops between two batches when aborted", async () => {
    await insertRuns(Array.from({ length: 500 }, () => idOfAge(100)));
    await sweep(test.service.context, AbortSignal.abort());
    expect(await runIds()).toHaveLength(500);
  });

  it("deletes the rest if one kind cannot be deleted, and reports it", async () => {
    await insertRuns([idOfAge(91)]);
    await db().kysely.schema.alterTable("verifications").renameTo("away").execute();
    try {
      await expect(sweepWith({})).rejects.toThrow("Some old data could not be deleted");
    } finally {
      await db().kysely.schema.alterTable("away").renameTo("verifications").execute();
    }
    expect(await runIds()).toEqual([]);
  });
});
