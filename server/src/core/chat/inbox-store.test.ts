import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { migrate, openPostgres, openSqlite } from "#db";
import type { Database } from "#db";
import { newId } from "#lib/ids";
import { createDatabase } from "#testing/template";
import {
  claimJob,
  forgetUnlinked,
  insertJob,
  markRequeued,
  maxUnlinkedMs,
  renewLeases,
  requeueLapsed,
  unlinked,
  updateClaimed,
} from "./inbox-store.ts";

let dataDir: string;
let server: Awaited<ReturnType<typeof createDatabase>>;
let db: Database;
const workspace = { id: newId(), name: "A", slug: "a", created_at: 1, tools_revision: 0 };
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "toolhost-inbox-"));
  server = await createDatabase();
  db =
    server === undefined
      ? openSqlite(join(dataDir, "toolhost.db"))
      : openPostgres({ url: server.url, poolSize: 4, onError: () => undefined });
  await migrate(db);
  await db.kysely.insertInto("workspaces").values(workspace).execute();
  await db.kysely
    .insertInto("chat_connections")
    .values({
      id: newId(),
      workspace_id: workspace.id,
      platform: "slack",
      team_id: "T1",
      team_name: "One",
      bot_user_id: "U0",
      scopes: "",
      state: "active",
      link_by_email: 0,
      connected_by: "a user",
      connected_at: 1,
      changed_at: 1,
    })
    .execute();
});
afterAll(async () => {
  await db.close();
  await server?.drop();
  await rm(dataDir, { recursive: true, force: true });
});
beforeEach(async () => {
  await db.kysely.deleteFrom("chat_inbox").execute();
});

const now = 10_000_000;
const byText = (one = "", other = "") => one.localeCompare(other);

/** Puts work of a thread into the inbox and gives its id; undefined when it was there. */
async function put(thread: string, rest: { eventId?: string; teamId?: string } = {}) {
  const id = newId();
  const query = insertJob(db, {
    id,
    platform: "slack",
    team_id: rest.teamId ?? "T1",
    event_id: rest.eventId ?? id,
    message_key: null,
    thread_key: thread,
    kind: "message",
    payload: "{}",
    created_at: now,
  });
  return (await db.transact([{ query, mustChange: true }])) ? id : undefined;
}

/** An admin's try to have something done again. */
function requeueOf(id: string, workspaceId = workspace.id) {
  return { query: markRequeued(db, { id, workspaceId, now }), mustChange: true } as const;
}

const claim = async (nodeId: string, at = now) =>
  claimJob(db, { nodeId, now: at, leaseUntil: at + 100 });

describe("the inbox", () => {
  it("stores an event once, and none of a team that is not connected", async () => {
    expect(await put("a", { eventId: "same" })).toBeDefined();
    expect(await put("a", { eventId: "same" })).toBeUndefined();
    expect(await put("a", { teamId: "T2" })).toBeUndefined();
  });

  it("allocates one job per thread at a time, oldest first, and threads in parallel", async () => {
    const [first, second, other] = [await put("a"), await put("a"), await put("b")];
    const one = await claim("node 1");
    expect(one?.id).toBe(first);
    expect((await claim("node 2"))?.id).toBe(other);
    expect(await claim("node 2")).toBeUndefined();
    if (one === undefined) throw new Error("nothing was taken");
    await db.transact([updateClaimed(db, one, { status: "done" })]);
    expect((await claim("node 2"))?.id).toBe(second);
  });

  it("deletes the texts of unlinked users after an hour, and no others", async () => {
    const at = { status: "done" as const, payload: "text" };
    for (const [problem, finished_at] of [
      [unlinked, now],
      [unlinked, now - maxUnlinkedMs - 1],
      [null, now - maxUnlinkedMs - 1],
    ] as const) {
      await put(newId());
      const held = await claim("node 1");
      if (held === undefined) throw new Error("nothing was taken");
      await db.transact([updateClaimed(db, held, { ...at, problem, finished_at })]);
    }
    await forgetUnlinked(db, now);
    const rows = await db.kysely
      .selectFrom("chat_inbox")
      .select(["payload", "problem"])
      .orderBy("id")
      .execute();
    expect(rows).toEqual([
      { payload: "text", problem: unlinked },
      { payload: "", problem: null },
      { payload: "text", problem: null },
    ]);
  });

  it("preserves the order of a thread while a job waits for its retry", async () => {
    const [first] = [await put("a"), await put("a")];
    const held = await claim("node 1");
    if (held === undefined) throw new Error("nothing was taken");
    await db.transact([updateClaimed(db, held, { status: "queued", run_after: now + 50 })]);
    expect(await claim("node 1")).toBeUndefined();
    expect((await claim("node 1", now + 50))?.id).toBe(first);
  });

  it("allocates each job once to concurrent callers", async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, (_, n) => put(`thread ${n}`)));
    const asked = Array.from({ length: 40 }, (_, n) => claim(`node ${n % 4}`));
    const taken = (await Promise.all(asked)).flatMap((work) => (work === undefined ? [] : work.id));
    // On PostgreSQL, a claim finds nothing if others have claimed all rows that it read, so it is repeated.
    for (let next = await claim("node 0"); next !== undefined; next = await claim("node 0")) {
      taken.push(next.id);
    }
    expect(taken.toSorted(byText)).toEqual(ids.toSorted(byText));
  });

  it("requeues the jobs of a stopped node, which can no longer update them", async () => {
    const id = await put("a");
    const lost = await claim("node 1");
    if (lost === undefined) throw new Error("nothing was taken");
    const lapse = { nodeId: "node 2", busyIds: [], isAlone: false };
    expect(await requeueLapsed(db, { ...lapse, now: now + 99 })).toBe(0);
    await renewLeases(db, "node 1", [lost.id], now + 200);
    expect(await requeueLapsed(db, { ...lapse, now: now + 150 })).toBe(0);
    expect(await requeueLapsed(db, { ...lapse, now: now + 201 })).toBe(1);
    const again = await claim("node 2", now + 201);
    expect(again).toMatchObject({ id, attempt: 2 });
    const late = { query: updateClaimed(db, lost, { status: "done" }), mustChange: true } as const;
    expect(await db.transact([late])).toBe(false);
    await renewLeases(db, "node 1", [lost.id], now + 900);
    expect(await requeueLapsed(db, { ...lapse, now: now + 400 })).toBe(1);
  });

  it("continues the attempt number after a requeue, and counts from there", async () => {
    const id = (await put("a")) ?? "";
    const first = await claim("node 1");
    if (first === undefined) throw new Error("nothing was taken");
    expect(await db.transact([requeueOf(id)])).toBe(false);
    await db.transact([updateClaimed(db, first, { status: "dead", finished_at: now })]);
    expect(await db.transact([requeueOf(id, newId())])).toBe(false);
    expect(await db.transact([requeueOf(id)])).toBe(true);
    expect(await claim("node 1")).toMatchObject({ id, attempt: 2, uncounted_attempts: 1 });
    // The first attempt cannot write results of the second, not even on the same node.
    const late = { query: updateClaimed(db, first, { status: "done" }), mustChange: true } as const;
    expect(await db.transact([late])).toBe(false);
  });

  it("leaves the jobs of a live node, and requeues all others after a start on the embedded database", async () => {
    const id = (await put("a")) ?? "";
    await claim("before");
    const start = { nodeId: "after", isAlone: true, now };
    expect(await requeueLapsed(db, { ...start, busyIds: [id] })).toBe(0);
    expect(await requeueLapsed(db, { ...start, busyIds: [] })).toBe(1);
  });
});
