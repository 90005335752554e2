import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Sqlite from "better-sqlite3";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { databaseFile, migrate, moveToPostgres, openPostgres, openSqlite } from "#db";
import { createDatabase } from "#testing/template";
import { lockDataFolder } from "../sqlite.ts";

const left = new Set(["nodes", "rate_limits", "task_locks"]);
const script = join(import.meta.dirname, "../../migrate-to-postgres.ts");

let dataDir: string;
let target: { url: string; drop(): Promise<void> } | undefined;
let client: pg.Client;

/** Inserts one row into each table, with a different value in each column. */
function fillTables(sqlite: Sqlite.Database): string[] {
  const names = sqlite
    .prepare<[], string>("select name from sqlite_master where type = 'table'")
    .pluck()
    .all()
    .filter((name) => !/^(?:sqlite|kysely)_/.test(name));
  sqlite.pragma("foreign_keys = OFF");
  for (const name of names) {
    const columns = sqlite
      .prepare<[string], { name: string; type: string }>(
        "select name, type from pragma_table_info(?)",
      )
      .all(name);
    const values = columns.map((column, index) => valueOf(column, index));
    const marks = columns.map(() => "?").join(", ");
    sqlite.prepare(`insert into "${name}" values (${marks})`).run(...values);
  }
  return names;
}

function valueOf({ name, type }: { name: string; type: string }, index: number) {
  if (type === "date") return `2026-01-0${(index % 9) + 1}T10:00:00.123Z`;
  if (/blob/i.test(type)) return Buffer.from([0, 1, 2, index]);
  if (/double/i.test(type)) return index + 0.1;
  if (["email_verified", "two_factor_enabled", "verified"].includes(name)) return 1;
  if (/int/i.test(type)) return 1_700_000_000 + index;
  // Every reference is to the only row.
  return /(?:^|_)id$/.test(name) ? "the one" : `${name} "'\\{}, ä 日本 😀\n`;
}

const move = (onTable = (_name: string, _rows: number) => undefined as void) =>
  moveToPostgres({
    dataDir,
    file: databaseFile(dataDir),
    url: target?.url ?? "",
    onStart: () => undefined,
    onTable,
  });

const open = () => new Sqlite(databaseFile(dataDir));
async function change(statement: string): Promise<void> {
  const sqlite = open();
  sqlite.exec(statement);
  sqlite.close();
}
async function targetCounts(): Promise<Record<string, number>> {
  const { rows } = await client.query<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_name not like 'kysely_%'`,
  );
  const counts: Record<string, number> = {};
  for (const { name } of rows) {
    const counted = await client.query<{ count: number }>(
      `select count(*)::int as count from "${name}"`,
    );
    counts[name] = counted.rows[0]?.count ?? -1;
  }
  return counts;
}
const isTargetEmpty = async () => Object.values(await targetCounts()).every((count) => count === 0);

async function migrateTarget(): Promise<void> {
  const database = openPostgres({ url: target?.url ?? "", poolSize: 1, onError: () => undefined });
  await migrate(database);
  await database.close();
}

describe.skipIf(process.env["TEST_DIALECT"] !== "postgres")("moving to PostgreSQL", () => {
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "toolhost-move-"));
    const database = openSqlite(databaseFile(dataDir));
    await migrate(database);
    await database.close();
    target = await createDatabase();
    client = new pg.Client({ connectionString: target?.url });
    await client.connect();
  });
  afterEach(async () => {
    await client.end();
    await target?.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  it("moves every table except those with transient state", async () => {
    const sqlite = open();
    const names = fillTables(sqlite);
    sqlite.close();
    const told: string[] = [];
    await move((name, rows) => void told.push(`${name} ${rows}`));
    const moved = names.filter((name) => !left.has(name));
    expect(told.toSorted()).toEqual(moved.map((name) => `${name} 1`).toSorted());
    const counts = await targetCounts();
    expect(Object.keys(counts).toSorted()).toEqual(names.toSorted());
    for (const [name, count] of Object.entries(counts)) {
      expect([name, count]).toEqual([name, left.has(name) ? 0 : 1]);
    }
    const users = await client.query("select * from users");
    expect(users.rows[0]).toMatchObject({ id: "the one", email_verified: true });
    expect(users.rows[0].created_at.toISOString()).toMatch(/^2026-01-0\dT10:00:00.123Z$/);
  });

  it("moves many rows, small and large", async () => {
    await change(`
      with recursive n (i) as (select 1 union all select i + 1 from n where i < 5000)
      insert into settings select 'setting ' || i, case when i % 1000 = 0
        then printf('%.*c', 3000000, 'x') else 'value ' || i end from n`);
    const counts: Record<string, number> = {};
    await move((name, rows) => void (counts[name] = rows));
    expect(counts["settings"]).toBe(5_000);
  });

  it("leaves the embedded database unchanged", async () => {
    await change("insert into settings values ('a', 'b')");
    const hash = async () =>
      createHash("sha256")
        .update(await readFile(databaseFile(dataDir)))
        .digest("hex");
    const before = await hash();
    await move();
    expect(await hash()).toBe(before);
  });

  it("rejects a data folder that a service uses", async () => {
    const lock = await lockDataFolder(dataDir);
    await expect(move()).rejects.toThrow(/^Another Toolhost is running on the data folder/);
    lock.release();
  });

  it("rejects a target with data", async () => {
    await migrateTarget();
    await client.query("insert into settings values ('a', 'b')");
    await expect(move()).rejects.toThrow("The target database already contains data, in settings.");
  });

  it("rejects a target that a service uses", async () => {
    await migrateTarget();
    await client.query("insert into nodes values ('node', extract(epoch from now()) * 1000)");
    await expect(move()).rejects.toThrow("A Toolhost is running on the target database.");
  });

  it.each([
    ["delete from kysely_migration where name like '0003%'", "of an older version"],
    ["insert into kysely_migration values ('9999-later', '')", "of a newer version"],
  ])("rejects a database of another version: %s", async (statement, words) => {
    await change(statement);
    await expect(move()).rejects.toThrow(words);
  });

  it.each([
    ["create table new (id text primary key)", "The target has no table new."],
    ["alter table settings add column new text", "The target has no column settings.new."],
  ])("rejects a target without all tables and columns: %s", async (statement, words) => {
    await change(statement);
    await expect(move()).rejects.toThrow(words);
  });

  it("names a column of the target whose type it cannot fill", async () => {
    await migrateTarget();
    await client.query("alter table settings add column location point");
    await expect(move()).rejects.toThrow("The column settings.location has the type point");
  });

  it("detects a value that the target stores differently, names the row and rolls back", async () => {
    await change("insert into settings values ('valid', '1'), ('odd', '2')");
    await migrateTarget();
    await client.query(`
      create function spoil() returns trigger language plpgsql as
        $$ begin if new.name = 'odd' then new.value = 'spoilt'; end if; return new; end $$;
      create trigger spoil before insert on settings for each row execute function spoil()`);
    await expect(move()).rejects.toThrow(
      "The row name=odd of the table settings has a different value in the target.",
    );
    expect(await isTargetEmpty()).toBe(true);
  });

  it("detects a row that the target drops", async () => {
    await change("insert into settings values ('valid', '1'), ('odd', '2')");
    await migrateTarget();
    await client.query(`
      create function swallow() returns trigger language plpgsql as
        $$ begin if new.name = 'odd' then return null; end if; return new; end $$;
      create trigger swallow before insert on settings for each row execute function swallow()`);
    await expect(move()).rejects.toThrow(
      "The row name=odd of the table settings is missing in the target.",
    );
    expect(await isTargetEmpty()).toBe(true);
  });

  it("detects an additional row in the target", async () => {
    await change("insert into settings values ('valid', '1')");
    await migrateTarget();
    await client.query(`
      create function add() returns trigger language plpgsql as
        $$ begin insert into settings values ('more', '1'); return null; end $$;
      create trigger add after insert on settings for each statement
        when (pg_trigger_depth() = 0) execute function add()`);
    await expect(move()).rejects.toThrow("The table settings has 2 rows in the target, not 1.");
  });

  it("names a row that the target rejects", async () => {
    await change("insert into settings values ('valid', '1'), ('odd', 'a' || char(0) || 'b')");
    await expect(move()).rejects.toThrow(
      /^The target rejects the row name=odd of the table settings: .*0x00/,
    );
    expect(await isTargetEmpty()).toBe(true);
  });

  it(
    "leaves the target empty if it is killed, and works afterwards",
    { tags: ["nightly"] },
    async () => {
      await change("insert into settings values ('a', 'b')");
      await migrateTarget();
      await client.query(`
      create function wait() returns trigger language plpgsql as
        $$ begin perform pg_sleep(1); return new; end $$;
      create trigger wait before insert on settings for each row execute function wait()`);
      const env = { PATH: process.env["PATH"], DATA_DIR: dataDir, DATABASE_URL: target?.url };
      const child = spawn(process.execPath, [script], { env, cwd: dataDir, stdio: "ignore" });
      const isCopying = async () =>
        (await client.query("select 1 from pg_stat_activity where wait_event = 'PgSleep'")).rows
          .length > 0;
      while (!(await isCopying())) await sleep(20);
      child.kill("SIGKILL");
      await once(child, "exit");
      expect(await isTargetEmpty()).toBe(true);
      await client.query("drop trigger wait on settings");
      await move();
      expect(await targetCounts()).toMatchObject({ settings: 1 });
    },
  );
});
