import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, describe, expect, it } from "vitest";
import { migrate } from "./migrate.ts";
import { openSqlite } from "./sqlite.ts";

describe("migrate", () => {
  const folder = mkdtempSync(join(tmpdir(), "migrate-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  it("leaves nothing of a migration that fails midway, so that the next attempt completes it", async () => {
    const db = openSqlite(join(folder, "toolhost.db"));
    try {
      // The migration that creates this table adds a column first.
      await sql`create table tool_searches (id text)`.execute(db.kysely);
      await expect(migrate(db)).rejects.toThrow(/tool_searches/);
      await sql`drop table tool_searches`.execute(db.kysely);
      await migrate(db);
      expect(await db.kysely.selectFrom("tool_searches").selectAll().execute()).toEqual([]);
    } finally {
      await db.close();
    }
  });
});
