import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { within } from "#lib/within";
import { newId } from "#lib/ids";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";
import { claimRuns } from "./queue-store.ts";

let test: TestService;
beforeAll(async () => {
  test = await startTestService({ WORKSPACE_MAX_CONCURRENT_RUNS: "1" });
});
afterAll(() => test.stop());

/** Starts a run that takes the only slot of the workspace, and queues two others. */
async function queueRuns(): Promise<string[]> {
  const name = await test.makeTool(
    "export default () => new Promise((done) => setTimeout(done, 60_000))",
  );
  const ids: string[] = [];
  for (let index = 0; index < 3; index += 1) {
    const { body } = await test.call("POST", `/run/${name}`, {}, { prefer: "respond-async" });
    ids.push(String(body.runId));
  }
  return ids.slice(1);
}

describe.runIf(process.env["TEST_DIALECT"] === "postgres")("claimRuns", () => {
  it("skips a run that another node is claiming instead of waiting for it", async () => {
    const { db, config, clock } = test.service.context;
    const [first = "", second = ""] = await queueRuns();
    const other = new pg.Client({ connectionString: config.DATABASE_URL });
    await other.connect();
    try {
      await other.query("begin");
      await other.query("select 1 from runs where id = $1 for update", [first]);
      const nodeId = newId();
      const claimed = await within(claimRuns(db, [first, second], nodeId, clock.now()), 5_000);
      expect(claimed?.map(({ id, node_id: owner }) => [id, owner])).toEqual([[second, nodeId]]);
      await other.query("rollback");
      expect(await claimRuns(db, [first, second], nodeId, clock.now())).toMatchObject([
        { id: first },
      ]);
    } finally {
      await other.end();
    }
  });
});
