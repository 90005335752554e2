import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "#lib/ids";
import type { AuditEventTable, AuditSegmentTable } from "#db";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";
import { auditEvent } from "./audit-event.ts";
import { packSegment } from "./audit-segment.ts";
import { readEvents } from "./list-audit-events.ts";
import { listEvents } from "./list-store.ts";
import { sealEvents } from "./seal-events.ts";
import { verifyChain } from "./verify-chain.ts";

let test: TestService;
beforeAll(async () => {
  test = await startTestService({ AUDIT_SEAL_INTERVAL_MS: "60000" });
});
afterAll(() => test.stop());

const db = () => test.service.context.db;

function eventOf(workspaceId: string): AuditEventTable {
  const who = {
    workspaceId,
    actor: { userId: "ada" },
    via: "rest",
    requestId: newId(),
    ip: null,
  } as const;
  return auditEvent(Date.now(), who, { action: "run.create", target: newId() });
}

/** A workspace with three segments of one event each. */
async function seed(): Promise<string> {
  const workspaceId = await test.addWorkspace();
  for (let count = 0; count < 3; count += 1) {
    const { sequence: _s, hash: _h, ...event } = eventOf(workspaceId);
    await db().kysely.insertInto("unsealed_run_events").values(event).execute();
    await sealEvents(db());
  }
  expect(await verifyChain(db(), workspaceId)).toMatchObject({ isSound: true, eventCount: 3 });
  return workspaceId;
}

const list = async (workspaceId: string) => {
  const viewer = { workspaceId, userId: "ada" };
  const { rows } = await listEvents(db(), viewer, {}, { limit: 10, after: undefined });
  return rows;
};

describe("verifyChain", () => {
  it.each<[string, Partial<AuditSegmentTable>]>([
    ["first_id", { first_id: "f" }],
    ["last_id", { last_id: "0" }],
    ["first_at", { first_at: 1 }],
    ["last_at", { last_at: 1 }],
    ["event_count", { event_count: 5_000 }],
  ])(
    "reports a segment whose %s was altered, which hides its events from lists",
    async (_, set) => {
      const workspaceId = await seed();
      await db()
        .kysely.updateTable("audit_segments")
        .set(set)
        .where("workspace_id", "=", workspaceId)
        .where("last_sequence", "=", 3)
        .execute();
      expect(await verifyChain(db(), workspaceId)).toMatchObject({ isSound: false, brokenAt: 3 });
    },
  );

  it("reports events that were added before the first one", async () => {
    const workspaceId = await seed();
    const forged = { ...eventOf(workspaceId), sequence: -5, hash: "f".repeat(64) };
    await db().kysely.insertInto("audit_events").values(forged).execute();
    expect(await verifyChain(db(), workspaceId)).toMatchObject({ isSound: false });
    await db().kysely.deleteFrom("audit_events").where("id", "=", forged.id).execute();
    expect(await verifyChain(db(), workspaceId)).toMatchObject({ isSound: true });
    const segment = await packSegment([{ ...forged, sequence: 0 }]);
    await db().kysely.insertInto("audit_segments").values(segment).execute();
    expect(await verifyChain(db(), workspaceId)).toMatchObject({ isSound: false });
  });

  it("reports an event whose details and actor cannot be read, which is listed without them", async () => {
    const workspaceId = await seed();
    const event = { ...eventOf(workspaceId), details: "{", actor: "null", user_id: "eve" };
    await db()
      .kysely.insertInto("audit_events")
      .values({ ...event, sequence: 4 })
      .execute();
    const viewer = { workspaceId, userId: "ada" };
    for (const filter of [{}, { q: event.target }]) {
      const { events } = await readEvents(db(), viewer, filter, { limit: 1, after: undefined });
      expect(events).toMatchObject([{ id: event.id, actor: { userId: null }, details: {} }]);
    }
    expect(await verifyChain(db(), workspaceId)).toMatchObject({ isSound: false, brokenAt: 4 });
  });

  it("reports an added segment that claims the position of other events, and lists none of its events", async () => {
    const workspaceId = await seed();
    const forged = { ...eventOf(workspaceId), sequence: 0, hash: "f".repeat(64) };
    const segment = { ...(await packSegment([forged])), first_sequence: 4, last_sequence: 4 };
    await db().kysely.insertInto("audit_segments").values(segment).execute();
    expect(await verifyChain(db(), workspaceId)).toMatchObject({ isSound: false });
    expect((await list(workspaceId)).map(({ id }) => id)).not.toContain(forged.id);
  });
});
