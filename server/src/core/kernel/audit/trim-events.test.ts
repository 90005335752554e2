import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sealEvents } from "./seal-events.ts";
import { trimEvents } from "./trim-events.ts";
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

// What one test leaves must not be old to the next.
afterEach(async () => {
  for (const table of ["audit_events", "audit_heads"] as const) {
    await db().kysely.deleteFrom(table).where("workspace_id", "=", workspaceId).execute();
  }
});

const db = () => test.service.context.db;
const trim = (days: number, limit = 1_000) => {
  const now = Date.now();
  return trimEvents(db(), { before: now - days * dayMs, now, limit });
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

describe("trimming the audit trail", () => {
  it("takes the old beginning off a chain and leaves the rest sound", async () => {
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

  it("is itself recorded, in the name of the service", async () => {
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

  it("leaves a chain sound when all of it has left", async () => {
    await writeEvents(400, 399);
    expect(await trim(365)).toMatchObject({ count: 2 });
    expect(await verifyChain(db(), workspaceId)).toMatchObject({ isSound: true, eventCount: 0 });
    await sealEvents(db());
    expect(await verifyChain(db(), workspaceId)).toMatchObject({ isSound: true, eventCount: 1 });
  });

  it("keeps what is not sealed yet", async () => {
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

  it("keeps an old event behind a younger one, since a chain leaves from its beginning", async () => {
    await writeEvents(400, 1, 399);
    expect(await trim(365)).toMatchObject({ count: 1 });
  });

  it("works by the day, so that its records stay few", async () => {
    await writeEvents(365.9, 365.5, 1);
    expect(await trim(365)).toMatchObject({ count: 0 });
    expect(await trim(364.8)).toMatchObject({ count: 2 });
  });

  it("takes no more than it was asked to", async () => {
    await writeEvents(400, 399, 398, 397);
    expect(await trim(365, 3)).toMatchObject({ count: 3 });
    expect(await trim(365, 3)).toMatchObject({ count: 1 });
    expect(await verifyChain(db(), workspaceId)).toMatchObject({ isSound: true });
  });

  it("happens once when several try at the same moment", async () => {
    await writeEvents(400, 399, 1);
    const all = await Promise.all([trim(365), trim(365), trim(365)]);
    expect(all.map(({ count }) => count).toSorted((a, b) => a - b)).toEqual([0, 0, 2]);
    expect(await verifyChain(db(), workspaceId)).toMatchObject({ isSound: true });
  });

  it("leaves a chain that does not hold as it is, for it is evidence", async () => {
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

describe("the check of a chain whose oldest events have left", () => {
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

  it("names a base whose hash was altered", async () => {
    await setBase({ base_hash: "f".repeat(64) });
    expect(await verifyChain(db(), workspaceId)).toMatchObject({
      isSound: false,
      brokenAt: 3,
      problem: "the event or the base before it was altered",
    });
  });

  it("notices a base that was moved to hide events", async () => {
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

  it("notices a beginning that is missing without a base", async () => {
    await setBase({ base_sequence: 0, base_hash: "0".repeat(64) });
    expect(await verifyChain(db(), workspaceId)).toMatchObject({ isSound: false, brokenAt: 1 });
  });
});
