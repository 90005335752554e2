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
import { up } from "./0027-version-sizes.ts";

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

it("computes the bytes of versions that exist already", async () => {
  const { kysely, dialect } = db;
  // Migrations know no tables but those of their own time.
  const tables = kysely as unknown as Kysely<unknown>;
  await createTables(tables, dialect);
  await sql`insert into workspaces (id, name, slug, created_at) values ('w', 'w', 'w', 1)`.execute(
    kysely,
  );
  await sql`insert into tools (id, workspace_id, owner_user_id, name, visibility, live_version, created_at, updated_at, revision)
    values ('t', 'w', 'ada', 'tool', 'private', 2, 1, 1, 1)`.execute(kysely);
  const codes = ["abc", "äöü€"];
  for (const [index, code] of codes.entries()) {
    await sql`insert into tool_versions
      (id, tool_id, workspace_id, version, title, description, definition, source, bundle, bundle_hash, source_map, created_by, created_at)
      values (${`v${index}`}, 't', 'w', ${index + 1}, 'T', 'ä', '{}', ${code}, ${code}, 'hash', '', 'ada', 1)`.execute(
      kysely,
    );
  }
  await up(tables);
  const rows = await kysely.selectFrom("tool_versions").select("size").orderBy("id").execute();
  // One byte of title, two of description, two of definition, then the code twice.
  expect(rows.map(({ size }) => size)).toEqual(
    codes.map((code) => 5 + 2 * Buffer.byteLength(code)),
  );
});
