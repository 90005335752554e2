import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sealEvents } from "./seal-events.ts";
import { verifyChain } from "./verify-chain.ts";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

let test: TestService;
beforeAll(async () => {
  test = await startTestService({ AUDIT_SEAL_INTERVAL_MS: "60000" });
});
afterAll(() => test.stop());

const db = () => test.service.context.db;
const verify = () => verifyChain(db(), test.workspaceId);

async function sealSome(): Promise<void> {
  for (let count = 0; count < 3; count++) {
    await test.callAsOwner("POST", "/api-keys", { name: `Key ${count}`, scopes: ["mcp:read"] });
  }
  await sealEvents(db());
}

/** Restores what a test changed, so that each test starts with a valid chain. */
async function rebuild(): Promise<void> {
  await db().kysely.deleteFrom("audit_heads").execute();
  await db().kysely.updateTable("audit_events").set({ sequence: null, hash: null }).execute();
  await sealEvents(db());
}

describe("verifyChains", () => {
  beforeEach(async () => {
    await sealSome();
    await rebuild();
  });

  it("accepts a chain of sealed events", async () => {
    const report = await verify();
    expect(report).toMatchObject({ isSound: true });
    expect(report.eventCount).toBeGreaterThanOrEqual(4);
  });

  it("accepts a chain that several nodes sealed concurrently", async () => {
    await test.callAsOwner("POST", "/api-keys", { name: "Race", scopes: ["mcp:read"] });
    await Promise.all([sealEvents(db()), sealEvents(db()), sealEvents(db())]);
    expect(await verify()).toMatchObject({ isSound: true });
  });

  it("reports the first altered event", async () => {
    await db()
      .kysely.updateTable("audit_events")
      .set({ outcome: "failed" })
      .where("sequence", ">=", 2)
      .execute();
    expect(await verify()).toMatchObject({
      isSound: false,
      brokenAt: 2,
      problem: "an event was altered",
    });
  });

  it("reports the position of a missing event", async () => {
    await db().kysely.deleteFrom("audit_events").where("sequence", "=", 2).execute();
    expect(await verify()).toMatchObject({ isSound: false, brokenAt: 2 });
  });

  it("reports that the newest event is missing", async () => {
    const { eventCount } = await verify();
    await db().kysely.deleteFrom("audit_events").where("sequence", "=", eventCount).execute();
    expect(await verify()).toMatchObject({
      isSound: false,
      brokenAt: eventCount,
      problem: "the newest events are missing",
    });
  });

  it("reports an event that was not sealed", async () => {
    const event = await db()
      .kysely.selectFrom("audit_events")
      .selectAll()
      .where("workspace_id", "=", test.workspaceId)
      .limit(1)
      .executeTakeFirstOrThrow();
    await db()
      .kysely.insertInto("audit_events")
      .values({ ...event, id: "hidden", at: 1, sequence: null, hash: null })
      .execute();
    expect(await verify()).toMatchObject({
      isSound: false,
      problem: "1 events were not sealed in time",
    });
    await db().kysely.deleteFrom("audit_events").where("id", "=", "hidden").execute();
  });
});
