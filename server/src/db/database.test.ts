import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";
import { defineGuardedWrite } from "./guarded-write.ts";
import { migrate } from "./migrate.ts";

let test: TestService;
beforeAll(async () => {
  test = await startTestService();
});
afterAll(() => test.stop());

const db = () => test.service.context.db;
const setting = (name: string, value: string) =>
  db().kysely.insertInto("settings").values({ name, value }).compile();
const valueOf = async (name: string) =>
  (
    await db()
      .kysely.selectFrom("settings")
      .select("value")
      .where("name", "=", name)
      .executeTakeFirst()
  )?.value;
const change = (name: string, value: string) => ({
  query: db().kysely.updateTable("settings").set({ value }).where("name", "=", name).compile(),
  mustChange: true as const,
});

describe("a transaction", () => {
  it("writes all its steps", async () => {
    expect(await db().transact([setting("one", "1"), setting("two", "2")])).toBe(true);
    expect([await valueOf("one"), await valueOf("two")]).toEqual(["1", "2"]);
  });

  it("writes nothing if a step fails", async () => {
    await db().transact([setting("taken", "1")]);
    await expect(db().transact([setting("fresh", "1"), setting("taken", "2")])).rejects.toThrow(
      /unique/i,
    );
    expect(await valueOf("fresh")).toBeUndefined();
  });

  it("writes nothing if a step that must change a row finds none", async () => {
    expect(await db().transact([setting("left", "1"), change("missing", "2")])).toBe(false);
    expect(await valueOf("left")).toBeUndefined();
  });
});

describe("a guarded write", () => {
  const write = defineGuardedWrite({
    name: "test_guarded",
    guard: { table: "settings", set: ["value"], where: ["name"], still: "value = 'open'" },
    also: [{ table: "settings", columns: ["name", "value"] }],
  });

  it("writes everything while the guard matches, and nothing afterwards", async () => {
    await db().transact([setting("state", "open")]);
    expect(await db().writeGuarded(write, ["closed", "state", "log 1", "x"])).toBeDefined();
    expect(await db().writeGuarded(write, ["again", "state", "log 2", "x"])).toBeUndefined();
    expect([await valueOf("state"), await valueOf("log 1"), await valueOf("log 2")]).toEqual([
      "closed",
      "x",
      undefined,
    ]);
  });

  it("returns columns of the row that its guard wrote", async () => {
    const withResult = defineGuardedWrite({
      name: "test_guarded_result",
      guard: { table: "workspaces", set: ["created_at"], where: ["id"], still: "created_at > 0" },
      returning: ["created_at"],
      result: ["created_at"],
      also: [{ table: "settings", columns: ["name", "value"] }],
    });
    const set = (id: string, name: string) => db().writeGuarded(withResult, [1_234, id, name, "x"]);
    expect(await set(test.workspaceId, "log 3")).toMatchObject({ created_at: 1_234 });
    expect(await set("missing", "log 4")).toBeUndefined();
    expect([await valueOf("log 3"), await valueOf("log 4")]).toEqual(["x", undefined]);
  });
});

describe("a guarded write of a new row", () => {
  const write = defineGuardedWrite({
    name: "test_new",
    guard: { table: "settings", columns: ["name", "value"], unless: "name" },
    also: [
      {
        table: "run_bytes",
        columns: [
          { name: "workspace_id", postgres: "?::text", sqlite: "?" },
          { name: "shard", postgres: "?::integer", sqlite: "?" },
          { name: "bytes", postgres: "?::bigint", sqlite: "?" },
        ],
        addTo: { key: ["workspace_id", "shard"], column: "bytes" },
      },
    ],
  });
  const sumOf = async (workspaceId: string) => {
    const rows = await db()
      .kysely.selectFrom("run_bytes")
      .select("bytes")
      .where("workspace_id", "=", workspaceId)
      .execute();
    return rows.map(({ bytes }) => bytes);
  };

  it("is applied once however many sessions write the row at the same time", async () => {
    for (let round = 0; round < 10; round++) {
      const workspaceId = `once ${round}`;
      const values = [`new ${round}`, "1", workspaceId, 0, 5];
      const written = await Promise.all(
        Array.from({ length: 8 }, () => db().writeGuarded(write, values)),
      );
      expect(written.filter(Boolean)).toHaveLength(1);
      expect(await sumOf(workspaceId)).toEqual([5]);
    }
  });

  it("adds up what several sessions count at the same time", async () => {
    const written = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        db().writeGuarded(write, [`summand ${index}`, "1", "sum", 0, index]),
      ),
    );
    expect(written).not.toContain(undefined);
    expect(await sumOf("sum")).toEqual([190]);
  });

  it("fails if another of its rows exists", async () => {
    const pair = defineGuardedWrite({
      name: "test_pair",
      guard: { table: "settings", columns: ["name", "value"], unless: "name" },
      also: [{ table: "run_bytes", columns: ["workspace_id", "shard", "bytes"] }],
    });
    await db().writeGuarded(pair, ["first", "1", "pair", 0, 1]);
    await expect(db().writeGuarded(pair, ["second", "1", "pair", 0, 1])).rejects.toThrow(/unique/i);
    expect(await valueOf("second")).toBeUndefined();
  });
});

describe("the database", () => {
  it("skips migrations that were already applied", async () => {
    await migrate(db());
    expect(await valueOf("first_owner")).toBeDefined();
  });

  it("returns its own time", async () => {
    const { rows } = await db().kysely.executeQuery<{ now: number }>(
      db().kysely.selectNoFrom(db().now().as("now")).compile(),
    );
    expect(Math.abs(Number(rows[0]?.now) - Date.now())).toBeLessThan(60_000);
  });
});

describe("a batch of concurrent writes", () => {
  it("fails only the writes that are invalid", async () => {
    await db().transact([setting("g0", "1")]);
    const results = await Promise.allSettled([
      db().transact([setting("g1", "1")]),
      db().transact([setting("g2", "1"), setting("g0", "again")]),
      db().transact([change("none", "1")]),
      db().transact([setting("g3", "1")]),
    ]);
    expect(
      results.map((result) => (result.status === "fulfilled" ? result.value : "broken")),
    ).toEqual([true, "broken", false, true]);
    expect([await valueOf("g1"), await valueOf("g2"), await valueOf("g3")]).toEqual([
      "1",
      undefined,
      "1",
    ]);
  });

  it("applies each write once even if another one fails", async () => {
    await db().transact([setting("marks", ""), setting("once", "1")]);
    const mark = sql`update settings set value = value || 'x' where name = 'marks'`;
    await Promise.allSettled([
      db().transact([mark.compile(db().kysely)]),
      db().transact([setting("once", "again")]),
      db().transact([mark.compile(db().kysely), change("none", "1")]),
      db().transact([mark.compile(db().kysely)]),
    ]);
    expect(await valueOf("marks")).toBe("xx");
  });
});
