import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";
import { listRuns } from "./run-list-store.ts";
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
});
