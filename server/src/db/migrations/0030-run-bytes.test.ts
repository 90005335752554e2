import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import type { Kysely } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openPostgres, openSqlite } from "#db";
import type { Database } from "#db";
import { createDatabase } from "#testing/template";
import { up as createTables } from "./0001-initial.ts";
import { up } from "./0030-run-bytes.ts";

let dataDir: string;
let server: Awaited<ReturnType<typeof createDatabase>>;
let db: Database;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "toolhost-migration-"));
  server = await createDatabase();
  db =
    server === undefined
      ? openSqlite(join(dataDir, "toolhost.db"))
      : openPostgres({ url: server.url, poolSize: 1, onError: () => undefined });
});
afterAll(async () => {
  await db.close();
  await server?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

it("counts the runs that have ended and their logs", async () => {
  const { kysely, dialect } = db;
  // Migrations know no tables but those of their own time.
  const tables = kysely as unknown as Kysely<unknown>;
  await createTables(tables, dialect);
  const insert = (id: string, workspace: string, status: string, output: string | null) =>
    sql`insert into runs (id, workspace_id, tool_id, tool_name, tool_version, user_id, status, via, actor, input, output, node_id, created_at, cancel_requested, logs_truncated)
      values (${id}, ${workspace}, 't', 't', 1, 'ada', ${status}, 'rest', '{}', 'ä', ${output}, 'n', 1, 0, 0)`.execute(
      kysely,
    );
  await insert("1", "v", "completed", "€");
  await insert("2", "w", "completed", null);
  await insert("3", "w", "completed", "abc");
  await insert("4", "w", "running", null);
  for (const run of ["3", "4"]) {
    await sql`insert into run_logs (run_id, chunk, line_count, body) values (${run}, 0, 1, ${Buffer.alloc(10)})`.execute(
      kysely,
    );
  }
  await up(tables);
  const rows = await kysely.selectFrom("run_bytes").selectAll().orderBy("workspace_id").execute();
  expect(rows).toEqual([
    { workspace_id: "v", shard: 0, bytes: 5 },
    { workspace_id: "w", shard: 0, bytes: 17 },
  ]);
});
