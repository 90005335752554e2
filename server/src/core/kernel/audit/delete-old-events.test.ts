import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sealEvents } from "./seal-events.ts";
import { deleteOldEvents } from "./delete-old-events.ts";
import { verifyChain } from "./verify-chain.ts";
import { auditEvent } from "./audit-event.ts";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";
import { newId } from "#lib/ids";

const dayMs = 86_400_000;
let test: TestService;
let workspaceId: string;
beforeAll(async () => {
  test = await startTestService({ AUDIT_SEAL_INTERVAL_MS: "60000" });
});
afterAll(() => test.stop());
beforeEach(async () => {
  workspaceId = await test.addWorkspace();
});

// Events of one test must not be expired in the next.
afterEach(async () => {
  for (const table of ["audit_events", "audit_heads"] as const) {
    await db().kysely.deleteFrom(table).where("workspace_id", "=", workspaceId).execute();
  }
});

const db = () => test.service.context.db;
const trim = (days: number, limit = 1_000) => {
  const now = Date.now();
  return deleteOldEvents(db(), { before: now - days * dayMs, now, limit });
};

/** Writes events of these ages in days, oldest first, and seals them. */
async function writeEvents(...ages: number[]): Promise<void> {
  const who = {
    workspaceId,
    actor: { userId: "user" },
    via: "rest" as const,
    requestId: newId(),
    ip: null,
  };
  for (const age of ages) {
    const what = { action: "tool.create" as const, target: "tool" };
    const event = auditEvent(Date.now() - age * dayMs, who, what);
    await db().kysely.insertInto("audit_events").values(event).execute();
  }
  await sealEvents(db());
}

const events = () =>
  db()
    .kysely.selectFrom("audit_events")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .orderBy("id")
    .execute();

async function trimAndSeal(days: number): Promise<void> {
  await trim(days);
  await sealEvents(db());
}

describe("deleteOldEvents", () => {
  it("deletes the oldest events and leaves a valid chain", async () => {
    await writeEvents(400, 399, 380, 100, 1);
    expect(await trim(365)).toEqual({ count: 3, brokenWorkspaceIds: [] });
    expect(await verifyChain(db(), workspaceId)).toMatchObject({
      isSound: true,
      eventCount: 2,
      trimmedCount: 3,
    });
    await sealEvents(db());
    await writeEvents(0);
    expect(await verifyChain(db(), workspaceId)).toMatchObject({ isSound: true, eventCount: 4 });
  });

  it("records the deletion as an event of the service", async () => {
    await writeEvents(400, 399, 1);
    const gone = (await events())[1];
    await trimAndSeal(365);
    const record = (await events()).at(-1);
    expect(record).toMatchObject({
      action: "audit.trim",
      via: "system",
      user_id: null,
      target: workspaceId,
      sequence: 4,
    });
    expect(JSON.parse(record?.details ?? "")).toEqual({
      count: 2,
      lastSequence: 2,
      lastHash: gone?.hash,
    });
  });

  it("leaves a valid chain when it deletes all events", async () => {
    await writeEvents(400, 399);
    expect(await trim(365)).toMatchObject({ count: 2 });
    expect(await verifyChain(db(), workspaceId)).toMatchObject({ isSound: true, eventCount: 0 });
    await sealEvents(db());
    expect(await verifyChain(db(), workspaceId)).toMatchObject({ isSound: true, eventCount: 1 });
  });

  it("does not delete unsealed events", async () => {
    await writeEvents(400);
    const [event] = await events();
    if (event === undefined) throw new Error("There is no event");
    await db()
      .kysely.insertInto("audit_events")
      .values({ ...event, id: newId(), sequence: null, hash: null })
      .execute();
    await trim(365);
    expect((await events()).map(({ action }) => action)).toEqual(["tool.create", "audit.trim"]);
  });

  it("does not delete an old event that follows a newer one", async () => {
    await writeEvents(400, 1, 399);
    expect(await trim(365)).toMatchObject({ count: 1 });
  });

  it("deletes once a day, so that its records stay few", async () => {
    await writeEvents(365.9, 365.5, 1);
    expect(await trim(365)).toMatchObject({ count: 0 });
    expect(await trim(364.8)).toMatchObject({ count: 2 });
  });

  it("deletes at most the given number of events", async () => {
    await writeEvents(400, 399, 398, 397);
    expect(await trim(365, 3)).toMatchObject({ count: 3 });
    expect(await trim(365, 3)).toMatchObject({ count: 1 });
    expect(await verifyChain(db(), workspaceId)).toMatchObject({ isSound: true });
  });

  it("deletes once when several nodes run it concurrently", async () => {
    await writeEvents(400, 399, 1);
    const all = await Promise.all([trim(365), trim(365), trim(365)]);
    expect(all.map(({ count }) => count).toSorted((a, b) => a - b)).toEqual([0, 0, 2]);
    expect(await verifyChain(db(), workspaceId)).toMatchObject({ isSound: true });
  });

  it("does not delete from an invalid chain, because it is evidence", async () => {
    await writeEvents(400, 399, 1);
    await db()
      .kysely.updateTable("audit_events")
      .set({ outcome: "forged" })
      .where("workspace_id", "=", workspaceId)
      .where("sequence", "=", 2)
      .execute();
    expect(await trim(365)).toMatchObject({ count: 0, brokenWorkspaceIds: [workspaceId] });
    expect(await events()).toHaveLength(3);
  });
});

describe("verifyChains after a deletion", () => {
  const setBase = (base: { base_sequence?: number; base_hash?: string }) =>
    db()
      .kysely.updateTable("audit_heads")
      .set(base)
      .where("workspace_id", "=", workspaceId)
      .execute();
  beforeEach(async () => {
    await writeEvents(400, 399, 2, 1);
    await trimAndSeal(365);
  });

  it("reports an altered base hash", async () => {
    await setBase({ base_hash: "f".repeat(64) });
    expect(await verifyChain(db(), workspaceId)).toMatchObject({
      isSound: false,
      brokenAt: 3,
      problem: "the event or the base before it was altered",
    });
  });

  it("reports a base that was moved to hide events", async () => {
    const [next] = await events();
    await db()
      .kysely.deleteFrom("audit_events")
      .where("id", "=", next?.id ?? "")
      .execute();
    await setBase({ base_sequence: 3, base_hash: next?.hash ?? "" });
    expect(await verifyChain(db(), workspaceId)).toMatchObject({
      isSound: false,
      problem: "no event records the chain's base",
    });
  });

  it("reports missing first events without a base", async () => {
    await setBase({ base_sequence: 0, base_hash: "0".repeat(64) });
    expect(await verifyChain(db(), workspaceId)).toMatchObject({ isSound: false, brokenAt: 1 });
  });
});
