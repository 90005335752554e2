import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sweep } from "#core/workspaces";
import { idFloor, newId } from "#lib/ids";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";
import { createLruMap } from "#lib/lru";
import { recoverOrphanedRuns } from "../recovery/recover-orphaned-runs.ts";
import { deleteRuns } from "./deletion-store.ts";
import { checkStorageQuota, nextShard, sumRunBytes } from "./storage-quota.ts";

const dialect = process.env["TEST_DIALECT"] === "postgres" ? "postgres" : "sqlite";
const max = 400_000;
let test: TestService;
let writer: string;
beforeAll(async () => {
  test = await startTestService({ WORKSPACE_MAX_RUN_BYTES: String(max) });
  writer = await test.makeTool(`export default async ({ bytes = 0, lines = 0, fails, ms = 0 }) => {
    for (let line = 0; line < lines; line++) {
      console.log(crypto.randomUUID());
      if (line % 100 === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await new Promise((resolve) => setTimeout(resolve, ms));
    if (lines > 0) console.log("last");
    if (fails) throw new Error("ü".repeat(100));
    return { text: "€" + "x".repeat(bytes) };
  }`);
});
afterAll(() => test.stop());

const context = () => test.service.context;
const db = () => context().db;
const run = (input: unknown, headers: Record<string, string> = {}) =>
  test.call("POST", `/run/${writer}`, input, headers);

/** Deletes all runs and their sums. */
beforeEach(async () => {
  const { kysely } = db();
  await kysely.deleteFrom("run_logs").execute();
  await kysely.deleteFrom("runs").execute();
  await kysely.deleteFrom("run_bytes").execute();
  context().runs.storedBytes = createLruMap(10);
});

/** The bytes of the stored runs, counted row by row. */
async function storedBytes(): Promise<number> {
  const { kysely } = db();
  const columns = ["id", "input", "output", "error"] as const;
  const runs = await kysely
    .selectFrom("runs")
    .select(columns)
    .where("workspace_id", "=", test.workspaceId)
    .where("status", "<>", "running")
    .execute();
  const ids = new Set(runs.map(({ id }) => id));
  const logs = await kysely.selectFrom("run_logs").select(["run_id", "body"]).execute();
  const texts = runs.flatMap(({ input, output, error }) => [input, output ?? "", error ?? ""]);
  const ofLogs = logs.flatMap(({ run_id, body }) => (ids.has(run_id) ? [body] : []));
  return [...texts, ...ofLogs].reduce((sum, part) => sum + Buffer.byteLength(part), 0);
}

async function expectExact(): Promise<number> {
  const bytes = await sumRunBytes(db(), test.workspaceId);
  expect(bytes).toBe(await storedBytes());
  return bytes;
}

/** Makes ended runs older. */
async function age(runIds: readonly string[], days: number): Promise<string[]> {
  const ids: string[] = [];
  for (const runId of runIds) {
    const id = idFloor(Date.now() - days * 86_400_000).slice(0, 14) + newId().slice(14);
    await db().kysely.updateTable("runs").set({ id }).where("id", "=", runId).execute();
    await db()
      .kysely.updateTable("run_logs")
      .set({ run_id: id })
      .where("run_id", "=", runId)
      .execute();
    ids.push(id);
  }
  return ids;
}

async function sweepAll(): Promise<void> {
  await db().kysely.deleteFrom("task_locks").execute();
  await sweep(context(), new AbortController().signal);
}

describe("the sum of stored bytes", () => {
  it("includes inputs, outputs, errors and all log chunks, however the run ends", async () => {
    const ended = await Promise.all([
      run({ bytes: 1_000 }),
      run({ fails: true, lines: 3 }),
      run({ bytes: 10, lines: 2_000, ms: 1_200 }),
    ]);
    expect(ended.map(({ body }) => body.status)).toEqual(["completed", "failed", "completed"]);
    const { body } = await run({ ms: 20_000, lines: 5 }, { prefer: "respond-async" });
    await test.call("POST", `/runs/${body.runId}/cancel`);
    const chunks = await db()
      .kysely.selectFrom("run_logs")
      .select("chunk")
      .where("run_id", "=", ended[2]?.body.runId)
      .execute();
    expect(chunks.length).toBeGreaterThan(1);
    expect(await expectExact()).toBeGreaterThan(10_000);
  });

  it("includes a run whose node died, with its stored log", async () => {
    const { body } = await run({ bytes: 100, lines: 10 });
    await db().kysely.deleteFrom("run_bytes").execute();
    await db()
      .kysely.updateTable("runs")
      .set({ status: "running", output: null, node_id: newId() })
      .where("id", "=", body.runId)
      .execute();
    await recoverOrphanedRuns(context(), [context().nodeId]);
    expect(await expectExact()).toBeGreaterThan(100);
  });

  it("is reduced once by deleted runs and logs, in either order", async () => {
    const responses = await Promise.all([1, 2, 3, 4].map(() => run({ bytes: 500, lines: 50 })));
    const ids = responses.map(({ body }) => String(body.runId));
    const [both, logFirst] = [ids.slice(0, 2), ids.slice(2, 3)];
    await age(logFirst, 40);
    await sweepAll();
    await expectExact();
    await age(both, 100);
    await Promise.all([sweepAll(), sweepAll()]);
    const left = await db().kysely.selectFrom("runs").select("id").execute();
    expect(left).toHaveLength(2);
    expect(await expectExact()).toBeGreaterThan(1_000);
  });

  it("is reduced once when several sweeps delete at the same time", async () => {
    await Promise.all([1, 2, 3].map(() => run({ bytes: 500 })));
    const { sql } = await import("kysely");
    const remove = () => db().transact(deleteRuns(db(), sql`status <> 'running'`));
    await Promise.all([remove(), remove(), remove()]);
    expect(await expectExact()).toBe(0);
  });
});

describe("checkStorageQuota", () => {
  it("rejects runs beyond the quota in parallel and on another node, but not replays", async () => {
    const key = randomUUID();
    const first = await run({ bytes: 50_000 }, { "idempotency-key": key });
    // All are accepted before the first ends, and an accepted run is never stopped for the quota.
    const wave = () => Promise.all(Array.from({ length: 10 }, () => run({ bytes: 50_000 })));
    await wave();
    expect(await expectExact()).toBeGreaterThan(max);
    expect((await wave()).map(({ status }) => status)).toEqual(Array(10).fill(429));
    const last = await run({});
    expect(last.status).toBe(429);
    expect(Number(last.headers.get("retry-after"))).toBe(60);
    expect(last.body).toMatchObject({
      code: "quota_exceeded",
      limit: { name: "run-bytes", max },
    });
    expect(last.body.detail).toMatch(
      /^The limit on bytes .+ \(400000\) is reached\. The oldest runs/,
    );
    const runs = { ...context().runs, storedBytes: createLruMap<string, never>(10) };
    const elsewhere = { ...context(), runs };
    await expect(checkStorageQuota(elsewhere, test.workspaceId)).rejects.toMatchObject({
      code: "quota_exceeded",
    });
    const replay = await run({ bytes: 50_000 }, { "idempotency-key": key });
    expect([replay.status, replay.text]).toEqual([200, first.text]);
  });

  it("rejects child runs", async () => {
    const parent = await test.makeTool(
      `export default async ({ name }, ctx) => {
        await ctx.tools.run(name, { bytes: ${max} });
        return ctx.tools.run(name, {});
      }`,
    );
    const { body } = await test.call("POST", `/run/${parent}`, { name: writer });
    expect(body).toMatchObject({ status: "failed" });
    expect(body.error.message).toContain("bytes of stored runs");
  });

  it("reads the sum from the database once for several runs", async () => {
    const statusOfRun = async () => (await run({ bytes: 1 })).status;
    await statusOfRun();
    const known = context().runs.storedBytes.get(test.workspaceId);
    for (let n = 0; n < 5; n++) expect(await statusOfRun()).toBe(200);
    expect(context().runs.storedBytes.get(test.workspaceId)).toBe(known);
    expect(known?.bytes).toBeGreaterThan(0);
  });

  it("leaves room to the sweep, which deletes the oldest runs, but none of the last day", async () => {
    const responses = [];
    for (let n = 0; n < 7; n++) responses.push(await run({ bytes: 48_000, lines: 1 }));
    const ids = responses.map(({ body }) => String(body.runId));
    const [third] = await age(ids.slice(2, 3), 2);
    const [second] = await age(ids.slice(1, 2), 3);
    await age(ids.slice(0, 1), 4);
    await sweepAll();
    const left = async () =>
      (await db().kysely.selectFrom("runs").select("id").orderBy("id").execute()).map(
        ({ id }) => id,
      );
    // Seven runs are within nine tenths of the limit; two more are not.
    expect(await left()).toHaveLength(7);
    responses.push(await run({ bytes: 48_000 }), await run({ bytes: 0 }));
    const beyond = (await expectExact()) - max * 0.9;
    expect(beyond).toBeGreaterThan(0);
    expect(beyond).toBeLessThan(48_000);
    await sweepAll();
    expect((await left()).slice(0, 2)).toEqual([second, third]);
    expect(await left()).toHaveLength(8);
    await run({ bytes: 400_000 });
    await sweepAll();
    expect(await left()).toHaveLength(7);
    await expectExact();
    expect((await run({})).status).toBe(429);
  });
});

describe("nextShard", () => {
  const shardsOf = (rank: number, size: number, count: number) => {
    const { cluster } = context();
    return Array.from({ length: count }, () =>
      nextShard({ db: db(), cluster: { ...cluster, rank, size } }),
    );
  };

  it.runIf(dialect === "postgres")("returns other shards on each of a few nodes, in turn", () => {
    const nodes = [0, 1, 2].map((rank) => shardsOf(rank, 3, 21));
    expect(new Set(nodes.flat()).size).toBe(63);
    expect(nodes.flat().every((shard) => shard >= 0 && shard < 64)).toBe(true);
  });

  it.runIf(dialect === "postgres")("returns several shards on each of many nodes", () => {
    expect(new Set(shardsOf(99, 100, 8)).size).toBe(8);
  });

  it.runIf(dialect === "sqlite")("returns the only shard of an embedded database", () => {
    expect(new Set(shardsOf(0, 1, 3))).toEqual(new Set([0]));
  });
});
