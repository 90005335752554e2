import type { KyselyPlugin } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { idFloor, newId } from "#lib/ids";
import type { AuditEventTable, AuditSegmentTable, Database } from "#db";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";
import { acquireTaskLock } from "#core/kernel";
import { auditEvent } from "./audit-event.ts";
import type { AuditFilter } from "./audit-filter.ts";
import { packSegment, unpackSegment } from "./audit-segment.ts";
import { findEnds } from "./audit-store.ts";
import { deleteOldEvents } from "./delete-old-events.ts";
import { moveBase } from "./event-retention-store.ts";
import { countEvents, listEvents } from "./list-store.ts";
import { mergeSegments } from "./merge-segments.ts";
import { moveMerged } from "./merge-store.ts";
import { sealEvents } from "./seal-events.ts";
import { verifyChain } from "./verify-chain.ts";

const minuteMs = 60_000;
const dayMs = 86_400_000;
const start = Date.now() - 400 * dayMs;
let test: TestService;
beforeAll(async () => {
  test = await startTestService({ AUDIT_SEAL_INTERVAL_MS: "60000" });
  // The service itself would merge at any time.
  await acquireTaskLock(db(), { name: "retention", nodeId: "test", lockMs: dayMs });
});
afterAll(() => test.stop());

const db = () => test.service.context.db;

const segmentsOf = (workspaceId: string) =>
  db()
    .kysely.selectFrom("audit_segments")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .orderBy("last_sequence")
    .execute();

const idAt = (ms: number) => idFloor(ms).slice(0, 14) + newId().slice(14);

function eventAt(workspaceId: string, minute: number, isRun: boolean): AuditEventTable {
  const at = start + minute * minuteMs;
  const who = {
    workspaceId,
    actor: { userId: minute % 3 === 0 ? "bob" : "ada" },
    via: "rest",
    requestId: newId(),
    ip: null,
  } as const;
  const what = isRun
    ? { action: "run.create" as const, target: idAt(at - 1_000) }
    : { action: "tool.update" as const, target: `tool_${minute}` };
  return { ...auditEvent(at, who, what), id: idAt(at) };
}

/** Writes events and seals them in batches of one event. Each fifth is no run. */
async function writeChain(minutes: readonly number[]): Promise<string> {
  const workspaceId = await test.addWorkspace();
  for (const [index, minute] of minutes.entries()) {
    const isRun = index % 5 !== 4;
    const event = eventAt(workspaceId, minute, isRun);
    const { sequence: _s, hash: _h, ...unsealed } = event;
    await (
      isRun
        ? db().kysely.insertInto("unsealed_run_events").values(unsealed)
        : db().kysely.insertInto("audit_events").values(event)
    ).execute();
    await sealEvents(db());
  }
  return workspaceId;
}

const range = (length: number, stepMinutes = 1) =>
  Array.from({ length }, (_, index) => index * stepMinutes);

async function mergeAll(now = Date.now()): Promise<void> {
  while ((await mergeSegments(db(), now)) > 0);
}

const viewer = (workspaceId: string) => ({ workspaceId, userId: "ada" });

async function listAll(
  workspaceId: string,
  sort: "newest" | "oldest",
  limit = 7,
  from: Database = db(),
) {
  const found: string[] = [];
  let after: string | undefined;
  do {
    const page = { limit, after, sort };
    const { rows, scannedTo } = await listEvents(from, viewer(workspaceId), {}, page);
    found.push(...rows.map(({ id }) => id));
    after = rows.length === limit ? rows.at(-1)?.id : scannedTo;
  } while (after !== undefined);
  return found;
}

describe("mergeSegments", () => {
  it("merges segments that are older than a day, and changes no event", async () => {
    const workspaceId = await writeChain(range(30));
    expect(await segmentsOf(workspaceId)).toHaveLength(24);
    const before = await Promise.all([
      listAll(workspaceId, "newest"),
      listAll(workspaceId, "oldest"),
      countAll(workspaceId, db(), {}),
      countAll(workspaceId, db(), { actor: "bob" }),
      verifyChain(db(), workspaceId),
    ]);
    await mergeAll(start + dayMs);
    expect(await segmentsOf(workspaceId)).toHaveLength(24);
    await mergeAll();
    const [merged, ...others] = await segmentsOf(workspaceId);
    expect(others).toEqual([]);
    expect(merged).toMatchObject({ first_sequence: 1, last_sequence: 29, event_count: 24 });
    const after = await Promise.all([
      listAll(workspaceId, "newest"),
      listAll(workspaceId, "oldest"),
      countAll(workspaceId, db(), {}),
      countAll(workspaceId, db(), { actor: "bob" }),
      verifyChain(db(), workspaceId),
    ]);
    expect(after).toEqual(before);
    expect(after[4]).toMatchObject({ isSound: true, eventCount: 30 });
  });

  it("puts the events of at most one day into a segment", async () => {
    const workspaceId = await writeChain([0, 100, 1_440, 1_441, 1_500, 10_000, 20_000]);
    await mergeAll();
    const segments = await segmentsOf(workspaceId);
    expect(segments.map(({ event_count: count }) => count)).toEqual([3, 1, 1, 1]);
    expect(await verifyChain(db(), workspaceId)).toMatchObject({ isSound: true, eventCount: 7 });
  });

  it("puts at most 500 events into a segment, in groups of at most 100 segments", async () => {
    const workspaceId = await writeChain(range(150));
    await mergeAll();
    const counts = (await segmentsOf(workspaceId)).map(({ event_count: count }) => count);
    expect(counts).toEqual([100, 20]);
    const large = (await segmentsOf(workspaceId)).map((segment) => ({ ...segment }));
    expect(await verifyChain(db(), workspaceId)).toMatchObject({ isSound: true, eventCount: 150 });
    // Nothing is merged twice.
    await mergeAll();
    expect(await segmentsOf(workspaceId)).toEqual(large);
  });

  it("merges each segment once when several nodes merge at the same time", async () => {
    const workspaceId = await writeChain(range(40));
    await Promise.all([1, 2, 3].map(() => mergeAll()));
    expect(await segmentsOf(workspaceId)).toHaveLength(1);
    expect(await verifyChain(db(), workspaceId)).toMatchObject({ isSound: true, eventCount: 40 });
  });

  it("leaves segments that retention can delete", async () => {
    const workspaceId = await writeChain([0, 1, 2, 3, 4, 3_000, 3_001, 3_002]);
    await mergeAll();
    await deleteOldEvents(db(), { before: start + 2 * dayMs, now: Date.now(), limit: 1_000 });
    await sealEvents(db());
    expect(await verifyChain(db(), workspaceId)).toMatchObject({ isSound: true, trimmedCount: 5 });
    expect(await segmentsOf(workspaceId)).toHaveLength(1);
  });

  it("prevents a concurrent deletion by retention, and is prevented by one", async () => {
    const workspaceId = await writeChain(range(10));
    const read = await findEnds(db(), workspaceId);
    if (read === undefined) throw new Error("The chain has no head");
    await mergeAll();
    const to = { sequence: 3, hash: "f".repeat(64) };
    expect(await db().transact([moveBase(db(), workspaceId, read, to)])).toBe(false);
    const merged = await findEnds(db(), workspaceId);
    if (merged === undefined) throw new Error("The chain has no head");
    expect(await db().transact([moveBase(db(), workspaceId, merged, to)])).toBe(true);
    expect(await db().transact([moveMerged(db(), workspaceId, merged, 20)])).toBe(false);
  });
});

describe("an altered log", () => {
  const alter = (workspaceId: string, last: number, set: Partial<AuditSegmentTable>) =>
    db()
      .kysely.updateTable("audit_segments")
      .set(set)
      .where("workspace_id", "=", workspaceId)
      .where("last_sequence", "=", last)
      .execute();

  it.each<[string, (segment: AuditSegmentTable) => Promise<Partial<AuditSegmentTable>>]>([
    ["cannot be read", async () => ({ body: Buffer.from("no body") })],
    ["claims other IDs", async () => ({ first_id: "0" })],
    ["claims other times", async ({ last_at: at }) => ({ last_at: at + 1 })],
    [
      "has an altered event",
      async (segment) => {
        const events = (await unpackSegment(segment)) ?? [];
        return packSegment(events.map((event) => ({ ...event, outcome: "failed" })));
      },
    ],
    [
      "repeats an event",
      async (segment) => {
        const events = (await unpackSegment(segment)) ?? [];
        return packSegment(events.map((event) => ({ ...event, sequence: 1 })));
      },
    ],
  ])("is reported as before after a merge, with a segment that %s", async (_, change) => {
    const workspaceId = await writeChain(range(8));
    const third = (await segmentsOf(workspaceId)).find(({ last_sequence: last }) => last === 3);
    if (third === undefined) throw new Error("The chain has no third segment");
    await alter(workspaceId, 3, { ...(await change(third)), last_sequence: 3 });
    const report = await verifyChain(db(), workspaceId);
    expect(report).toMatchObject({ isSound: false });
    await mergeAll();
    expect(await verifyChain(db(), workspaceId)).toEqual(report);
  });

  it("is reported if a merged segment was altered or deleted", async () => {
    const workspaceId = await writeChain(range(8));
    await mergeAll();
    const [merged] = await segmentsOf(workspaceId);
    const events = (merged && (await unpackSegment(merged))) ?? [];
    const without = events.filter(({ sequence }) => sequence !== 3);
    await alter(workspaceId, 8, await packSegment(without));
    expect(await verifyChain(db(), workspaceId)).toMatchObject({ isSound: false, brokenAt: 3 });
    await db()
      .kysely.deleteFrom("audit_segments")
      .where("workspace_id", "=", workspaceId)
      .execute();
    expect(await verifyChain(db(), workspaceId)).toMatchObject({ isSound: false, brokenAt: 1 });
  });
});

/** An exact count. On a busy machine, one may stop early. */
async function countAll(workspaceId: string, from: Database, filter: AuditFilter) {
  for (;;) {
    const counted = await countEvents(from, viewer(workspaceId), filter);
    if (counted.isExact) return counted;
  }
}

/** A database that calls `onRead` after its read of segments with this number, before the reader gets the result. */
function interrupted(number: number, onRead: () => Promise<void>): Database {
  const reads = new WeakSet<object>();
  let count = 0;
  const plugin: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      if (JSON.stringify(node).includes("audit_segments")) reads.add(queryId);
      return node;
    },
    transformResult: async ({ queryId, result }) => {
      count += reads.has(queryId) ? 1 : 0;
      if (reads.has(queryId) && count === number) await onRead();
      return result;
    },
  };
  return { ...db(), kysely: db().kysely.withPlugin(plugin) };
}

/** A chain of events of runs in segments of one event each. */
async function writeSmallSegments(length: number): Promise<string> {
  const workspaceId = await test.addWorkspace();
  const events = range(length, 5).map((minute) => eventAt(workspaceId, minute, true));
  const unsealed = events.map(({ sequence: _s, hash: _h, ...event }) => event);
  await db().kysely.insertInto("unsealed_run_events").values(unsealed).execute();
  await sealEvents(db());
  const [large] = await segmentsOf(workspaceId);
  const sealed = (large && (await unpackSegment(large))) ?? [];
  const small = await Promise.all(sealed.map((event) => packSegment([event])));
  await db().kysely.deleteFrom("audit_segments").where("workspace_id", "=", workspaceId).execute();
  await db().kysely.insertInto("audit_segments").values(small).execute();
  return workspaceId;
}

describe("a reader during a merge", { timeout: 60_000 }, () => {
  const length = 130;
  const readers: [string, (workspaceId: string, from: Database) => Promise<unknown>][] = [
    ["a list", async (workspaceId, from) => listAll(workspaceId, "newest", 200, from)],
    ["a list by age", async (workspaceId, from) => listAll(workspaceId, "oldest", 200, from)],
    ["a count", async (workspaceId, from) => countAll(workspaceId, from, {})],
    [
      "a count by person",
      async (workspaceId, from) => countAll(workspaceId, from, { actor: "ada" }),
    ],
    ["a verification", async (workspaceId, from) => verifyChain(from, workspaceId)],
  ];

  it.each(readers)("finds each event once in %s", async (_, read) => {
    for (const number of [1, 2, 3, 4]) {
      const workspaceId = await writeSmallSegments(length);
      const expected = await read(workspaceId, db());
      const found = await read(
        workspaceId,
        interrupted(number, () => mergeAll()),
      );
      expect(found, `a merge after read ${number}`).toEqual(expected);
    }
  });
});
