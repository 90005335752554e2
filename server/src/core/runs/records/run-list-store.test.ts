import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";
import { countRunRows, listRuns } from "./run-list-store.ts";
import type { RunFilter } from "./run-list-store.ts";

let test: TestService;
let runIds: string[];
let tool: string;
beforeAll(async () => {
  test = await startTestService();
  tool = await test.makeTool("export default () => ({});");
  runIds = [];
  for (let count = 0; count < 5; count++) {
    runIds.unshift(String((await test.call("POST", `/run/${tool}`, {})).body.runId));
  }
});
afterAll(() => test.stop());

/** All pages, each of which scans two runs. */
async function pagesOf(filter: RunFilter): Promise<string[][]> {
  const { db } = test.service.context;
  const viewer = { workspaceId: test.workspaceId, userId: "no one" };
  const pages: string[][] = [];
  let after: string | undefined;
  do {
    const found = await listRuns(db, viewer, filter, { limit: 10, after }, 2);
    pages.push(found.rows.map(({ id }) => id));
    after = found.scannedTo;
  } while (after !== undefined);
  return pages;
}

describe("listRuns", () => {
  it("scans a limited number of runs per page, and returns where the next page continues", async () => {
    const { db } = test.service.context;
    const [, , third = ""] = runIds;
    await db.kysely.updateTable("runs").set({ via: "mcp" }).where("id", "=", third).execute();
    expect(await pagesOf({ via: "mcp" })).toEqual([[], [third], []]);
    expect(await pagesOf({ via: "mcp", toolName: tool, status: "completed" })).toEqual([
      [],
      [third],
      [],
    ]);
    expect((await pagesOf({ via: "bot" })).flat()).toEqual([]);
    expect((await pagesOf({ draft: false })).flat()).toEqual(runIds);
    expect(await pagesOf({})).toEqual([runIds]);
  });

  it("filters by credential, host, API key and connected app", async () => {
    const { db } = test.service.context;
    const [first = "", second = ""] = runIds;
    const credentials = JSON.stringify([
      { name: "API_TOKEN", owner: "user", exposed: false, hosts: [{ host: "a.test", count: 1 }] },
    ]);
    const egress = JSON.stringify([{ host: "api.example.com", requests: 1, refused: 0 }]);
    const actor = JSON.stringify({ userId: "u", grantId: "g1" });
    await db.kysely
      .updateTable("runs")
      .set({ credentials, actor })
      .where("id", "=", first)
      .execute();
    await db.kysely.updateTable("runs").set({ egress }).where("id", "=", second).execute();
    const found = async (filter: RunFilter) => (await pagesOf(filter)).flat();
    expect(await found({ credential: "API_TOKEN" })).toEqual([first]);
    expect(await found({ credential: "API" })).toEqual([]);
    expect(await found({ host: "api.example.com" })).toEqual([second]);
    expect(await found({ host: "example.com" })).toEqual([]);
    expect(await found({ host: "a.test" })).toEqual([]);
    expect(await found({ appId: "g1" })).toEqual([first]);
    const { apiKeyId } = JSON.parse(
      (
        await db.kysely
          .selectFrom("runs")
          .select("actor")
          .where("id", "=", second)
          .executeTakeFirstOrThrow()
      ).actor,
    ) as { apiKeyId: string };
    expect(await found({ apiKeyId })).toEqual(runIds.slice(1));
    expect(await found({ apiKeyId, host: "api.example.com", toolName: tool })).toEqual([second]);
  });
});

describe("countRunRows", () => {
  it("counts the runs that match among a limited number of the newest", async () => {
    const { db } = test.service.context;
    const viewer = { workspaceId: test.workspaceId, userId: "no one" };
    expect(await countRunRows(db, viewer, {}, 5)).toEqual({ count: 5, isExact: true });
    expect(await countRunRows(db, viewer, {}, 4)).toEqual({ count: 4, isExact: false });
    const [, second = ""] = runIds;
    await db.kysely.updateTable("runs").set({ via: "bot" }).where("id", "=", second).execute();
    expect(await countRunRows(db, viewer, { via: "bot" })).toEqual({ count: 1, isExact: true });
    expect(await countRunRows(db, viewer, { via: "bot" }, 2)).toEqual({ count: 1, isExact: false });
    await db.kysely.updateTable("runs").set({ is_private: 1 }).where("id", "=", second).execute();
    expect(await countRunRows(db, viewer, {})).toEqual({ count: 4, isExact: true });
  });
});
