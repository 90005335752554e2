import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { countRuns } from "#core/stats";
import { idFloor, newId, timeOfId } from "#lib/ids";
import { draftOf, startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

const hourMs = 3_600_000;

let test: TestService;
beforeAll(async () => {
  test = await startTestService();
});
afterAll(() => test.stop());

const run = (toolName: string) =>
  test.api("POST /run/{toolName}", { params: { toolName }, body: {} });

const count = () => countRuns(test.service.context, new AbortController().signal);

/** Forgets what was counted, as before the first start of this version. */
async function forget(): Promise<void> {
  const { kysely } = test.service.context.db;
  await kysely.deleteFrom("run_stats").execute();
  await kysely.deleteFrom("run_usage").execute();
  await kysely.deleteFrom("run_usage_days").execute();
  await kysely.deleteFrom("run_stats_hours").execute();
}

let made = 0;

/** Copies a run to another time, with changes. */
async function copyRun(
  runId: string,
  at: number,
  change: Record<string, string | number | null> = {},
): Promise<string> {
  const { kysely } = test.service.context.db;
  const row = await kysely
    .selectFrom("runs")
    .selectAll()
    .where("id", "=", runId)
    .executeTakeFirstOrThrow();
  const id = idFloor(at).slice(0, -6) + String((made += 1)).padStart(6, "0");
  await kysely
    .insertInto("runs")
    .values({ ...row, id, created_at: at, idempotency_id: null, ...change })
    .execute();
  return id;
}

describe("GET /run-stats", () => {
  it("returns the figures that the caller may see", async () => {
    const good = await test.makeTool("export default () => ({});", { title: "Good" });
    const bad = await test.makeTool("export default () => { throw new Error('no luck'); };");
    const secret = await test.makeTool("export default () => ({});", { visibility: "private" });
    await run(good);
    const failed = await run(bad);
    await run(secret);
    const { id } = await test.api("POST /drafts", {
      body: { definition: draftOf("export default () => ({});") },
    });
    await test.api("POST /drafts/{id}/run", { params: { id }, body: {} });

    const all = await test.api("GET /run-stats");
    expect(all).toMatchObject({ interval: "hour", completeSince: null });
    expect(all.series).toHaveLength(24);
    expect(all.totals).toMatchObject({ completed: 2, failed: 1, cancelled: 0 });
    expect(all.totals.p95Ms).toBeGreaterThan(0);
    const last = all.series.slice(-2).reduce((sum, { completed }) => sum + completed, 0);
    expect(last).toBe(2);
    expect(all.failingTools).toEqual([
      expect.objectContaining({
        toolName: bad,
        failed: 1,
        lastFailure: expect.objectContaining({
          runId: failed.runId,
          error: { code: "tool_error", message: expect.stringContaining("no luck") as string },
        }) as unknown,
      }),
    ]);
    expect(all.slowestTools.map(({ toolName }) => toolName).toSorted()).toEqual(
      [good, bad, secret].toSorted(),
    );
    expect(all.slowestTools.find(({ toolName }) => toolName === good)?.title).toBe("Good");
    expect(all.usage.map(({ client, clientName, runs }) => ({ client, clientName, runs }))).toEqual(
      Array.from({ length: 3 }, () => ({ client: "key", clientName: "Everything", runs: 1 })),
    );

    const asMember = await test.addPerson(test.workspaceId, "member");
    const headers = { authorization: `Bearer ${asMember.apiKey}` };
    const theirs = await test.api("GET /run-stats", { headers });
    expect(theirs.totals).toMatchObject({ completed: 1, failed: 1 });
    expect(theirs.usage.map(({ toolName, clientName }) => ({ toolName, clientName }))).toEqual(
      expect.arrayContaining([
        { toolName: good, clientName: null },
        { toolName: bad, clientName: null },
      ]),
    );
    const hidden = await test.api("GET /run-stats", { query: { toolName: secret }, headers });
    expect(hidden.totals).toMatchObject({ completed: 0, failed: 0 });

    const admin = await test.addPerson(test.workspaceId, "admin");
    const adminHeaders = { authorization: `Bearer ${admin.apiKey}` };
    const overseen = await test.api("GET /run-stats", { headers: adminHeaders });
    expect(overseen.totals).toMatchObject({ completed: 2, failed: 1 });
    expect(JSON.stringify(overseen)).not.toContain(secret);
    expect(overseen.usage.some(({ toolName }) => toolName === null)).toBe(true);
    const ofSecret = { query: { toolName: secret }, headers: adminHeaders };
    expect((await test.api("GET /run-stats", ofSecret)).totals.completed).toBe(0);

    const stranger = await test.addPerson(await test.addWorkspace(), "owner");
    const elsewhere = { authorization: `Bearer ${stranger.apiKey}` };
    const none = await test.api("GET /run-stats", { headers: elsewhere });
    expect(none.totals).toMatchObject({ completed: 0, failed: 0, p50Ms: null });
    expect((await test.call("GET", "/run-stats?range=1y")).status).toBe(400);
  });

  it("returns the same figures from counted hours as from runs", async () => {
    const name = await test.makeTool("export default () => ({});");
    const { runId } = await run(name);
    const hour = Math.floor(timeOfId(runId) / hourMs) * hourMs;
    const query = { toolName: name, range: "7d" } as const;
    const one = (await test.api("GET /run-stats", { query })).totals;
    expect(one).toMatchObject({ completed: 1, failed: 0 });
    const times = [hour - 50 * hourMs, hour - 3 * hourMs + 1, hour - 2 * hourMs - 1];
    for (const at of times) {
      await copyRun(runId, at, { duration_ms: 1_000 });
      await copyRun(runId, at + 1, { duration_ms: 60_000, status: "failed" });
      await copyRun(runId, at + 2, { status: "cancelled", duration_ms: null });
    }
    await forget();
    const before = await test.api("GET /run-stats", { query });
    expect(before.totals.completed).toBe(1);
    expect(before.completeSince).toBe(new Date(hour - hourMs).toISOString());
    await count();
    const after = await test.api("GET /run-stats", { query });
    expect(after.completeSince).toBeNull();
    expect(after.usage).toEqual([
      expect.objectContaining({ runs: 10, failed: 3, toolName: name, title: expect.any(String) }),
    ]);
    expect(after.totals).toMatchObject({ completed: 4, failed: 3, cancelled: 3 });
    expect(after.totals.p95Ms).toBeGreaterThan(57_000);
    expect(after.totals.p95Ms).toBeLessThan(63_000);
    const filled = after.series.filter(({ failed }) => failed > 0).map(({ start }) => start);
    expect(filled).toEqual(
      [50, 3, 2].map((hours) => new Date(hour - hours * hourMs).toISOString()),
    );
    await Promise.all([count(), count()]);
    await forget();
    await count();
    expect((await test.api("GET /run-stats", { query })).totals).toEqual(after.totals);
  });

  it("counts an hour again once its last run has ended", async () => {
    const name = await test.makeTool("export default () => ({});");
    const { runId } = await run(name);
    const query = { toolName: name, range: "24h" } as const;
    const at = timeOfId(runId) - 5 * hourMs;
    const { kysely } = test.service.context.db;
    const node = { id: newId(), seen_at: Date.now() + hourMs, key_ids: "" };
    await kysely.insertInto("nodes").values(node).execute();
    const waiting = await copyRun(runId, at, { status: "running", node_id: node.id });
    await forget();
    await count();
    expect((await test.api("GET /run-stats", { query })).totals.completed).toBe(1);
    await kysely
      .updateTable("runs")
      .set({ status: "completed" })
      .where("id", "=", waiting)
      .execute();
    await count();
    expect((await test.api("GET /run-stats", { query })).totals.completed).toBe(2);
  });

  it("reads all pages of the current hour", async () => {
    const name = await test.makeTool("export default () => ({});");
    const { runId } = await run(name);
    const { kysely } = test.service.context.db;
    const row = await kysely
      .selectFrom("runs")
      .selectAll()
      .where("id", "=", runId)
      .executeTakeFirstOrThrow();
    const now = timeOfId(runId);
    for (let part = 0; part < 10; part++) {
      await kysely
        .insertInto("runs")
        .values(
          Array.from({ length: 450 }, (_, index) => ({
            ...row,
            id: idFloor(now - 1_000).slice(0, -8) + String(part * 450 + index).padStart(8, "0"),
            idempotency_id: null,
          })),
        )
        .execute();
    }
    const { totals } = await test.api("GET /run-stats", { query: { toolName: name } });
    expect(totals.completed).toBe(4_501);
  });
});
