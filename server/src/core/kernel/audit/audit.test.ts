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

/** Undoes what a test broke, so that each starts from a sound chain. */
async function rebuild(): Promise<void> {
  await db().kysely.deleteFrom("audit_heads").execute();
  await db().kysely.updateTable("audit_events").set({ sequence: null, hash: null }).execute();
  await sealEvents(db());
}

describe("the audit trail", () => {
  beforeEach(async () => {
    await sealSome();
    await rebuild();
  });

  it("seals every event into a sound chain", async () => {
    const report = await verify();
    expect(report).toMatchObject({ isSound: true });
    expect(report.eventCount).toBeGreaterThanOrEqual(4);
  });

  it("chains once when several seal at the same moment", async () => {
    await test.callAsOwner("POST", "/api-keys", { name: "Race", scopes: ["mcp:read"] });
    await Promise.all([sealEvents(db()), sealEvents(db()), sealEvents(db())]);
    expect(await verify()).toMatchObject({ isSound: true });
  });

  it("names the first event that was altered", async () => {
    await db()
      .kysely.updateTable("audit_events")
      .set({ outcome: "failed" })
      .where("sequence", ">=", 2)
      .execute();
    expect(await verify()).toMatchObject({
      isSound: false,
      brokenAt: 2,
      problem: "the event was altered",
    });
  });

  it("names the place where an event is missing", async () => {
    await db().kysely.deleteFrom("audit_events").where("sequence", "=", 2).execute();
    expect(await verify()).toMatchObject({ isSound: false, brokenAt: 2 });
  });

  it("notices that the newest event is missing", async () => {
    const { eventCount } = await verify();
    await db().kysely.deleteFrom("audit_events").where("sequence", "=", eventCount).execute();
    expect(await verify()).toMatchObject({
      isSound: false,
      brokenAt: eventCount,
      problem: "the newest events are missing",
    });
  });

  it("notices an event that was kept from its chain", async () => {
    const [event] = await db().kysely.selectFrom("audit_events").selectAll().limit(1).execute();
    if (event === undefined) throw new Error("There is no event");
    await db()
      .kysely.insertInto("audit_events")
      .values({ ...event, id: "hidden", at: 1, sequence: null, hash: null })
      .execute();
    expect(await verify()).toMatchObject({ isSound: false, problem: "1 events were never sealed" });
    await db().kysely.deleteFrom("audit_events").where("id", "=", "hidden").execute();
  });
});
