import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { migrate } from "#db";
import type { Database } from "#db";
import { killAfter, openAt } from "#testing/killed-process";
import { createDatabase } from "#testing/template";

const step = process.env["TEST_ALL"] === "1" ? 5 : 60;
/** More than all migrations have. */
const maxStatements = 1_000;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "killed-migration-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function withDatabase<T>(
  location: string,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const database = openAt(location);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** The columns of all tables. The lock of the migrations and their list exist before the first one starts. */
async function readTables({ kysely }: Database) {
  const tables = await kysely.introspection.getTables();
  return tables.map(({ name, columns }) => ({ name, columns })).toSorted(byName);
}

function byName(one: { name: string }, other: { name: string }): number {
  return one.name < other.name ? -1 : 1;
}

describe("a migration whose process is killed", () => {
  it("leaves nothing, so that the next one completes it", { timeout: 600_000 }, async () => {
    const server = await createDatabase();
    const location = server?.url ?? join(folder, "killed.db");
    let kills = 0;
    for (let count = 1; count < maxStatements; count += step) {
      if ((await killAfter(count, "migrate", location)) === null) break;
      kills += 1;
      const tables = await withDatabase(location, readTables);
      expect(tables, `after ${count} statements`).toEqual([]);
    }
    expect(kills).toBeGreaterThan(250 / step);
    expect(kills).toBeLessThan(maxStatements / step - 1);
    const whole = await createDatabase();
    const migrated = await withDatabase(
      whole?.url ?? join(folder, "whole.db"),
      async (database) => {
        await migrate(database);
        return readTables(database);
      },
    );
    expect(await withDatabase(location, readTables)).toEqual(migrated);
    const { rows } = await withDatabase(location, ({ kysely }) =>
      sql<{ n: number }>`select count(*) as n from kysely_migration`.execute(kysely),
    );
    expect(Number(rows[0]?.n)).toBeGreaterThan(40);
    await server?.drop();
    await whole?.drop();
  });
});
