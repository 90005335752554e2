import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { within } from "#lib/within";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";
import { acquireTaskLock } from "./task-lock.ts";

let test: TestService;
beforeAll(async () => {
  test = await startTestService();
});
afterAll(() => test.stop());

const acquire = (nodeId: string, name: string, lockMs = 60_000) =>
  acquireTaskLock(test.service.context.db, { name, nodeId, lockMs });

describe("acquireTaskLock", () => {
  it("gives the lock to one of many nodes, which can renew it", async () => {
    const nodes = Array.from({ length: 20 }, (_, index) => `node ${index}`);
    const results = await Promise.all(nodes.map((nodeId) => acquire(nodeId, "one of many")));
    const holders = nodes.filter((_, index) => results[index] === true);
    expect(holders).toHaveLength(1);
    expect(await acquire(holders[0] ?? "", "one of many")).toBe(true);
    expect(await acquire("another", "one of many")).toBe(false);
  });

  it("gives an expired lock to another node", async () => {
    expect(await acquire("first", "expiring", 50)).toBe(true);
    await sleep(100);
    expect(await acquire("second", "expiring")).toBe(true);
    expect(await acquire("first", "expiring")).toBe(false);
  });
});

describe.runIf(process.env["TEST_DIALECT"] === "postgres")("acquireTaskLock on PostgreSQL", () => {
  it("does not wait for a node that renews its lock", async () => {
    expect(await acquire("holder", "renewed")).toBe(true);
    const client = new pg.Client({
      connectionString: test.service.context.config.DATABASE_URL,
    });
    await client.connect();
    try {
      await client.query("begin");
      await client.query("select 1 from task_locks where name = 'renewed' for update");
      expect(await within(acquire("another", "renewed"), 5_000)).toBe(false);
      await client.query("rollback");
    } finally {
      await client.end();
    }
  });
});
