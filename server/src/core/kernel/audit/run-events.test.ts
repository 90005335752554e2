import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { idFloor, newId } from "#lib/ids";
import type { AuditEventTable } from "#db";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";
import { auditEvent } from "./audit-event.ts";
import type { AuditFilter } from "./audit-filter.ts";
import { packSegment, unpackSegment } from "./audit-segment.ts";
import { deleteOldEvents } from "./delete-old-events.ts";
import { countEvents, listEvents } from "./list-store.ts";
import { sealEvents } from "./seal-events.ts";
import { verifyAuditLog } from "./verify-audit-log.ts";
import { verifyChain } from "./verify-chain.ts";

const dayMs = 86_400_000;
const start = Date.now() - 10 * dayMs;
let test: TestService;
beforeAll(async () => {
  test = await startTestService({ AUDIT_SEAL_INTERVAL_MS: "60000" });
});
afterAll(() => test.stop());

const db = () => test.service.context.db;
const segmentsOf = (workspaceId: string) =>
  db()
    .kysely.selectFrom("audit_segments")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .orderBy("first_sequence")
    .execute();

type Written = { minute: number; isRun: boolean; userId?: string; origin?: number };

/** Writes an event of a minute after a time, and returns its row. */
async function write(
  workspaceId: string,
  { minute, isRun, userId = "ada", origin = start }: Written,
): Promise<AuditEventTable> {
  const at = origin + minute * 60_000;
  const who = {
    workspaceId,
    actor: { userId },
    via: "rest",
    requestId: newId(),
    ip: null,
  } as const;
  const idAt = (ms: number) => idFloor(ms).slice(0, 14) + newId().slice(14);
  const what = isRun
    ? {
        action: "run.create" as const,
        target: idAt(at - 1_000),
        details: { toolName: `tool_${minute}` },
      }
    : { action: "tool.update" as const, target: `tool_${minute}` };
  const event = { ...auditEvent(at, who, what), id: idAt(at + 1) };
  const { sequence: _s, hash: _h, ...unsealed } = event;
  await (
    isRun
      ? db().kysely.insertInto("unsealed_run_events").values(unsealed)
      : db().kysely.insertInto("audit_events").values(event)
  ).execute();
  return event;
}

describe("listEvents", () => {
  let workspaceId: string;
  const all: AuditEventTable[] = [];
  const viewer = () => ({ workspaceId, userId: "eve" });

  beforeAll(async () => {
    workspaceId = await test.addWorkspace();
    // Batches overlap: each has an event that is older than the newest one of the batch before. The last one is not sealed.
    for (const minutes of [
      [0, 1, 4],
      [2, 5, 8],
      [3, 9, 10, 11],
      [6, 12],
      [7, 13, 14],
    ]) {
      for (const minute of minutes) {
        const userId = minute % 3 === 0 ? "bob" : "ada";
        all.push(await write(workspaceId, { minute, isRun: minute % 4 !== 1, userId }));
      }
      if (!minutes.includes(14)) await sealEvents(db());
    }
    all.sort((one, other) => (one.id < other.id ? 1 : -1));
  });

  async function listAll(
    filter: AuditFilter,
    sort: "newest" | "oldest",
    limit: number,
    scan?: number,
  ) {
    const found: string[] = [];
    let after: string | undefined;
    for (let pages = 0; pages < 100; pages++) {
      const { rows, scannedTo } = await listEvents(
        db(),
        viewer(),
        filter,
        { limit, after, sort },
        scan,
      );
      expect(rows.length).toBeLessThanOrEqual(limit);
      found.push(...rows.map(({ id }) => id));
      after = rows.length === limit ? rows.at(-1)?.id : scannedTo;
      if (after === undefined) return found;
    }
    throw new Error("The list does not end");
  }

  const at = (minute: number) => start + minute * 60_000;
  const filters: [string, AuditFilter, (event: AuditEventTable) => boolean][] = [
    ["everything", {}, () => true],
    ["an actor", { actor: "bob" }, (event) => event.user_id === "bob"],
    ["runs", { action: "run.create" }, (event) => event.action === "run.create"],
    ["another action", { action: "tool.update" }, (event) => event.action === "tool.update"],
    ["a time", { since: at(3), until: at(11) }, (event) => event.at >= at(3) && event.at <= at(11)],
    ["a text", { q: "TOOL_1" }, (event) => /tool_1/.test(event.target + event.details)],
    [
      "an actor, an action and a time",
      { actor: "ada", action: "run.create", since: at(2) },
      (event) => event.user_id === "ada" && event.action === "run.create" && event.at >= at(2),
    ],
  ];

  it.each(filters)("finds %s in pages of any size, in both orders", async (_, filter, matches) => {
    const expected = all.filter(matches).map(({ id }) => id);
    expect(expected.length).toBeGreaterThan(1);
    for (const limit of [1, 2, 3, 7, 50]) {
      expect(await listAll(filter, "newest", limit)).toEqual(expected);
      expect(await listAll(filter, "oldest", limit)).toEqual(expected.toReversed());
      expect(await listAll(filter, "newest", limit, 2)).toEqual(expected);
    }
  });

  it.each(filters.filter(([, { q }]) => q === undefined))(
    "counts %s",
    async (_, filter, matches) => {
      const count = all.filter(matches).length;
      expect(await countEvents(db(), viewer(), filter)).toEqual({ count, isExact: true });
      expect(await countEvents(db(), viewer(), filter, 1)).toEqual({ count: 1, isExact: false });
    },
  );

  it("finds the event of a run", async () => {
    for (const { id, target } of all.filter(({ action }) => action === "run.create")) {
      expect(await listAll({ target }, "newest", 10)).toEqual([id]);
    }
    expect(await listAll({ target: newId() }, "newest", 10)).toEqual([]);
  });

  it("finds no events of another workspace", async () => {
    const other = { workspaceId: await test.addWorkspace(), userId: "eve" };
    const page = { limit: 10, after: undefined };
    expect(await listEvents(db(), other, {}, page)).toEqual({ rows: [], scannedTo: undefined });
    expect(await countEvents(db(), other, {})).toEqual({ count: 0, isExact: true });
  });
});

describe("the chain of events of runs", () => {
  async function writeChain(): Promise<string> {
    const workspaceId = await test.addWorkspace();
    for (const batch of [0, 1, 2]) {
      for (const minute of [0, 1, 2, 3]) {
        const when = { minute: batch * 1_440 + minute, origin: start };
        await write(workspaceId, { ...when, isRun: minute !== 1 });
      }
      await sealEvents(db());
    }
    return workspaceId;
  }

  it("is valid, and stores each batch as one row", async () => {
    const workspaceId = await writeChain();
    expect(await verifyChain(db(), workspaceId)).toMatchObject({ isSound: true, eventCount: 12 });
    const segments = await segmentsOf(workspaceId);
    expect(segments.map((one) => [one.first_sequence, one.last_sequence, one.event_count])).toEqual(
      [
        [1, 4, 3],
        [5, 8, 3],
        [9, 12, 3],
      ],
    );
  });

  it("seals each event once when several nodes seal at the same time", async () => {
    const workspaceId = await writeChain();
    for (let minute = 50; minute < 60; minute++) await write(workspaceId, { minute, isRun: true });
    await Promise.all([1, 2, 3].map(() => sealEvents(db())));
    expect(await verifyChain(db(), workspaceId)).toMatchObject({ isSound: true, eventCount: 22 });
  });

  it("verifies from any position", async () => {
    const workspaceId = await writeChain();
    const caller = { workspaceId } as Parameters<typeof verifyAuditLog>[1];
    for (let after = 0; after < 12; after++) {
      const report = await verifyAuditLog({ db: db() }, caller, after);
      expect(report).toMatchObject({ intact: true, checked: 12 - after, sealed: 12, unsealed: 0 });
    }
  });

  it.each([
    ["an altered event", "an event was altered", 5],
    ["an altered hash", "an event was altered", 5],
    ["a body that cannot be read", "the previous event is missing", 5],
    ["the events of another workspace", "an event was altered", 5],
    ["repeated positions", "the previous event is missing", 2],
  ])("is invalid with %s", async (what, problem, brokenAt) => {
    const workspaceId = await writeChain();
    const [, second] = await segmentsOf(workspaceId);
    const events = (second && (await unpackSegment(second))) ?? [];
    const other = await segmentsOf(await writeChain());
    const replaced = {
      "an altered event": () => events.map((event) => ({ ...event, outcome: "failed" })),
      "an altered hash": () => events.map((event) => ({ ...event, hash: "0".repeat(64) })),
      "repeated positions": () => events.map((event) => ({ ...event, sequence: 1 })),
    }[what];
    const body =
      replaced !== undefined
        ? (await packSegment(replaced())).body
        : what.startsWith("a body")
          ? Buffer.from("no body")
          : other[1]?.body;
    await db()
      .kysely.updateTable("audit_segments")
      .set({ body })
      .where("workspace_id", "=", workspaceId)
      .where("last_sequence", "=", second?.last_sequence ?? 0)
      .execute();
    const report = await verifyChain(db(), workspaceId);
    expect(report).toMatchObject({ isSound: false, problem, brokenAt });
  });

  it.each([1, 2, 3])("is invalid without its segment %i", async (number) => {
    const workspaceId = await writeChain();
    await db()
      .kysely.deleteFrom("audit_segments")
      .where("workspace_id", "=", workspaceId)
      .where("last_sequence", "=", number * 4)
      .execute();
    expect(await verifyChain(db(), workspaceId)).toMatchObject({ isSound: false });
  });

  it("is invalid with an event that stays unsealed", async () => {
    const workspaceId = await writeChain();
    await write(workspaceId, { minute: 100, isRun: true });
    expect(await verifyChain(db(), workspaceId)).toMatchObject({
      isSound: false,
      problem: "1 events were not sealed in time",
    });
  });

  it("loses only whole segments to retention", async () => {
    const workspaceId = await writeChain();
    const deleteBefore = async (minute: number) => {
      const before = start + minute * 60_000;
      await deleteOldEvents(db(), { before, now: Date.now(), limit: 1_000 });
      await sealEvents(db());
      return verifyChain(db(), workspaceId);
    };
    const withinSecond = 1_442;
    expect(await deleteBefore(withinSecond)).toMatchObject({ isSound: true, trimmedCount: 4 });
    expect(await segmentsOf(workspaceId)).toHaveLength(2);
    expect(await deleteBefore(3_000)).toMatchObject({ isSound: true, trimmedCount: 12 });
    expect(await segmentsOf(workspaceId)).toEqual([]);
  });
});
