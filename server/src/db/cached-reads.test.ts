import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";
import { mayChangeCachedReads, queryCached, uncountedTables } from "./cached-reads.ts";
import { defineGuardedWrite } from "./guarded-write.ts";

let test: TestService;
beforeAll(async () => {
  test = await startTestService();
});
afterAll(() => test.stop());

const db = () => test.service.context.db;
const read = {
  name: "read_setting",
  text: "select value from settings where name = ? order by name",
};
const valueOf = async (name: string) =>
  (await queryCached<{ value: string }>(db(), read, [name]))[0]?.value;
const update = (name: string, value: string) =>
  db().kysely.updateTable("settings").set({ value }).where("name", "=", name);
const guarded = defineGuardedWrite({
  name: "change_setting",
  guard: { table: "settings", set: ["value"], where: ["name"], still: "value <> ''" },
  also: [],
});

describe("queryCached", () => {
  it.each([
    ["the query builder", () => update("cached", "new").execute()],
    ["the query builder, with rows", () => update("cached", "new").returning("name").execute()],
    ["a transaction", () => db().transact([update("cached", "new").compile()])],
    ["a guarded write", () => db().writeGuarded(guarded, ["new", "cached"])],
    [
      "a prepared statement",
      () =>
        db().query({ name: "update", text: "update settings set value = ? where name = ?" }, [
          "new",
          "cached",
        ]),
    ],
  ])("returns what %s has written", async (_, write) => {
    await db().kysely.deleteFrom("settings").where("name", "=", "cached").execute();
    expect(await valueOf("cached")).toBeUndefined();
    await db().kysely.insertInto("settings").values({ name: "cached", value: "old" }).execute();
    expect(await valueOf("cached")).toBe("old");
    expect(await valueOf("cached")).toBe("old");
    await write();
    expect(await valueOf("cached")).toBe("new");
  });

  it("reads once until something changes on SQLite, and each time on PostgreSQL", async () => {
    await valueOf("cached");
    const rows = await queryCached(db(), read, ["cached"]);
    const again = await queryCached(db(), read, ["cached"]);
    expect(rows === again).toBe(db().dialect === "sqlite");
  });

  it("rejects a key in the request after its revocation, its expiry, and the removal of its owner", async () => {
    const { userId, apiKey } = await test.addPerson(test.workspaceId, "member");
    const use = async () =>
      (await test.call("GET", "/me", undefined, { authorization: `Bearer ${apiKey}` })).status;
    const keys = db().kysely.updateTable("api_keys").where("user_id", "=", userId);
    expect([await use(), await use()]).toEqual([200, 200]);
    await keys.set({ revoked_at: 1 }).execute();
    expect(await use()).toBe(401);
    await keys.set({ revoked_at: null }).execute();
    expect(await use()).toBe(200);
    await keys.set({ expires_at: 1 }).execute();
    expect(await use()).toBe(401);
    await keys.set({ expires_at: null }).execute();
    expect(await use()).toBe(200);
    await db().kysely.deleteFrom("members").where("user_id", "=", userId).execute();
    expect(await use()).toBe(401);
  });

  it("finds no tool in the request after it was archived, restored, or became private", async () => {
    const tool = await test.makeTool("export default async () => 1");
    const { apiKey } = await test.addPerson(test.workspaceId, "member");
    const headers = { authorization: `Bearer ${apiKey}` };
    const run = async () => (await test.call("POST", `/run/${tool}`, {}, headers)).status;
    expect([await run(), await run()]).toEqual([200, 200]);
    await test.call("DELETE", `/tools/${tool}`);
    expect(await run()).toBe(404);
    await db()
      .kysely.updateTable("tools")
      .set({ archived_at: null, visibility: "workspace" })
      .where("name", "=", tool)
      .execute();
    expect(await run()).toBe(200);
    await test.call("PATCH", `/tools/${tool}`, { visibility: "private" });
    expect(await run()).toBe(404);
  });
});

describe("mayChangeCachedReads", () => {
  it.each([
    ["insert into runs (id) values (?)", false],
    ["insert into run_bytes (bytes) values (?) on conflict (shard) do update set bytes = 1", false],
    ['update "nodes" set "seen_at" = ?', false],
    ["with sealed (id) as (values (?)) update audit_events set sequence = 1 from sealed", false],
    ['update "api_keys" set "revoked_at" = ?', true],
    ["insert or replace into tools (id) values (?)", true],
    ["delete from users where id = ?", true],
    ["with old as (delete from members returning *) insert into runs select * from old", true],
    ["replace into tools (id) values (?)", true],
    ["drop table tools", true],
  ])("judges %s", (text, expected) => {
    expect(mayChangeCachedReads(text)).toBe(expected);
  });

  it("overlooks no deletion that follows another, and no trigger", async () => {
    if (db().dialect !== "sqlite") return;
    const { rows: followers } = await sql<{ child: string; parent: string }>`
      select m.name as child, f."table" as parent from sqlite_master m, pragma_foreign_key_list(m.name) f
      where m.type = 'table'`.execute(db().kysely);
    expect(followers.length).toBeGreaterThan(0);
    const overlooked = followers.filter(
      ({ child, parent }) => uncountedTables.has(parent) && !uncountedTables.has(child),
    );
    expect(overlooked).toEqual([]);
    const { rows: triggers } = await sql`
      select name from sqlite_master where type = 'trigger'`.execute(db().kysely);
    expect(triggers).toEqual([]);
  });
});
