import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Sqlite from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "./database.ts";
import { explainOutage } from "./database-error.ts";
import { migrate } from "./migrate.ts";
import { openSqlite } from "./sqlite.ts";

describe("a database that another program has locked", () => {
  const folder = mkdtempSync(join(tmpdir(), "sqlite-lock-"));
  const file = join(folder, "toolhost.db");
  let db: Database;
  let other: Sqlite.Database;
  beforeAll(async () => {
    db = openSqlite(file);
    await migrate(db);
    other = new Sqlite(file);
  });
  afterAll(async () => {
    other.close();
    await db.close();
    rmSync(folder, { recursive: true });
  });

  const insert = (name: string) =>
    db.kysely.insertInto("settings").values({ name, value: "stored" });
  const names = async () =>
    (await db.kysely.selectFrom("settings").select("name").execute()).map(({ name }) => name);
  /** Writes in each way that there is, and with statements that return rows. */
  const write = (prefix: string) => [
    insert(`${prefix}-builder`).execute(),
    insert(`${prefix}-returning`).returning("name").execute(),
    db.transact([insert(`${prefix}-transaction`).compile()]),
    db.query({ name: "lock_test", text: "insert into settings (name, value) values (?, ?)" }, [
      `${prefix}-query`,
      "stored",
    ]),
    db.query(
      {
        name: "lock_test_rows",
        text: "insert into settings (name, value) values (?, ?) returning name",
      },
      [`${prefix}-rows`, "stored"],
    ),
  ];

  it("writes as soon as the lock is gone, and reads and serves requests meanwhile", async () => {
    other.exec("begin immediate");
    const writes = Promise.all(write("soon"));
    let maxDelayMs = 0;
    for (let tick = 0; tick < 15; tick += 1) {
      const startedAt = performance.now();
      await sleep(20);
      expect(await names()).not.toContain("soon-builder");
      maxDelayMs = Math.max(maxDelayMs, performance.now() - startedAt);
    }
    other.exec("rollback");
    await writes;
    expect(maxDelayMs).toBeLessThan(250);
    expect((await names()).filter((name) => name.startsWith("soon"))).toHaveLength(5);
  });

  it("rejects writes after a second, and explains why", async () => {
    other.exec("begin immediate");
    const startedAt = performance.now();
    const results = await Promise.allSettled(write("late"));
    other.exec("rollback");
    expect(performance.now() - startedAt).toBeLessThan(3_000);
    const reasons = results.map((result) =>
      result.status === "rejected" ? explainOutage(result.reason) : "written",
    );
    expect(new Set(reasons)).toEqual(new Set(["The database file is locked by another program."]));
    expect((await names()).filter((name) => name.startsWith("late"))).toEqual([]);
  });
});
