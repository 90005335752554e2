import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sweep } from "#core/workspaces";
import { idFloor, newId } from "#lib/ids";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

const dayMs = 86_400_000;
let test: TestService;
let path: string;
beforeAll(async () => {
  test = await startTestService({ QUOTA_WORKSPACE_RUNS_PER_DAY: "1000" });
  path = `/workspaces/${test.workspaceId}/settings`;
});
afterAll(() => test.stop());

const db = () => test.service.context.db.kysely;
const change = (retention: object, by?: Pick<TestService, "call">) =>
  by === undefined
    ? test.callAsOwner("PATCH", path, { retention })
    : by.call("PATCH", path, { retention });

describe("the workspace settings API", () => {
  it("returns limits and usage", async () => {
    const name = await test.makeTool("export default () => ({});");
    await test.call("POST", `/run/${name}`, {});
    const file = { fileName: "a.txt", mimeType: "text/plain", contentBase64: "YWJj" };
    await test.call("POST", "/upload", file);
    const before = (await test.callAsOwner("GET", path)).body;
    expect(before.limits).toMatchObject({
      concurrentRuns: 16,
      memoryMb: 256,
      requestsPerMinute: null,
      workspaceRunsPerDay: 1_000,
      userDrafts: 200,
    });
    expect(before.usage).toMatchObject({ runsToday: 1, runningRuns: 0, queuedRuns: 0 });
    expect(before.usage).toMatchObject({ members: 1, files: 1, fileBytes: 3, userDrafts: 0 });
    expect(before.retention).toMatchObject({
      runs: { server: 90, own: null, effective: 90 },
      logs: { server: 30, own: null, effective: 30 },
      drafts: { server: 90 },
      audit: { server: 365 },
    });
  });

  it("lets admins reduce the retention below the server's maximum, and audits the change", async () => {
    const changed = await change({ runsDays: 7 });
    expect(changed.body.retention).toMatchObject({
      runs: { server: 90, own: 7, effective: 7 },
      logs: { server: 30, own: null, effective: 7 },
    });
    expect((await change({ logsDays: 2 })).body.retention).toMatchObject({
      runs: { own: 7 },
      logs: { own: 2, effective: 2 },
    });
    expect((await change({ runsDays: null })).body.retention.runs).toMatchObject({ effective: 90 });
    const longer = await change({ runsDays: 91 });
    expect([longer.status, longer.body.errors[0].path]).toEqual([400, "/retention/runsDays"]);
    expect((await change({ runsDays: 0 })).status).toBe(400);
    const { body } = await test.call("GET", "/audit-events?action=workspace.configure");
    expect(body).toHaveLength(3);
    expect(body[2].details).toEqual({ runsDays: 7, logsDays: null });
    const builder = await test.addSignedIn(test.workspaceId, "builder");
    expect((await change({ runsDays: 1 }, builder)).status).toBe(403);
    expect((await builder.call("GET", path)).status).toBe(200);
    const stranger = await test.addSignedIn(await test.addWorkspace(), "owner");
    expect((await stranger.call("GET", path)).status).toBe(404);
    await change({ logsDays: null });
  });

  it("changes what the cleanup deletes in this workspace only", async () => {
    const name = await test.makeTool("export default () => ({});");
    const { body } = await test.call("POST", `/run/${name}`, {});
    const run = await db()
      .selectFrom("runs")
      .selectAll()
      .where("id", "=", body.runId)
      .executeTakeFirstOrThrow();
    const other = await test.addWorkspace();
    const insert = async (days: number, workspaceId = test.workspaceId, status = "completed") => {
      const id = idFloor(Date.now() - days * dayMs).slice(0, 14) + newId().slice(14);
      const row = { ...run, id, workspace_id: workspaceId, status, node_id: "none" };
      await db().insertInto("runs").values(row).execute();
      const log = { run_id: id, chunk: 0, line_count: 1, body: Buffer.from("log") };
      await db().insertInto("run_logs").values(log).execute();
      return id;
    };
    const [old, recent, foreign] = [await insert(9), await insert(3), await insert(9, other)];
    const sweepNow = async () => {
      await db().deleteFrom("task_locks").execute();
      await sweep(test.service.context, new AbortController().signal);
    };
    const left = async (table: "runs" | "logs") => {
      const ids = [old, recent, foreign];
      const found =
        table === "runs"
          ? await db().selectFrom("runs").select("id").where("id", "in", ids).execute()
          : await db()
              .selectFrom("run_logs")
              .select("run_id as id")
              .where("run_id", "in", ids)
              .execute();
      const names = new Map([
        [old, "old"],
        [recent, "recent"],
        [foreign, "foreign"],
      ]);
      return found.map(({ id }) => names.get(id) ?? "").toSorted((a, b) => a.localeCompare(b));
    };
    await sweepNow();
    expect([await left("runs"), await left("logs")]).toEqual([
      ["foreign", "old", "recent"],
      ["foreign", "old", "recent"],
    ]);
    await change({ runsDays: 7, logsDays: 2 });
    await sweepNow();
    expect([await left("runs"), await left("logs")]).toEqual([["foreign", "recent"], ["foreign"]]);
    // Deleted runs do not delay the deletion of later ones.
    await change({ logsDays: 1 });
    const later = await insert(1.5);
    await sweepNow();
    const logs = await db()
      .selectFrom("run_logs")
      .select("run_id")
      .where("run_id", "=", later)
      .execute();
    expect(logs).toEqual([]);
    expect((await test.call("GET", `/runs/${later}`)).status).toBe(200);
  });
});
