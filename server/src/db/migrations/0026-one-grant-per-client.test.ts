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
import { up as createGrants } from "./0011-oauth.ts";
import { up } from "./0026-one-grant-per-client.ts";

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

it("leaves the newest grant of a person, client and workspace, and ends the tokens of the others", async () => {
  const { kysely, dialect } = db;
  // Migrations know no tables but those of their own time.
  const tables = kysely as unknown as Kysely<unknown>;
  await createTables(tables, dialect);
  await createGrants(tables);
  for (const workspace of ["w1", "w2"]) {
    await sql`insert into workspaces (id, name, slug, created_at)
      values (${workspace}, ${workspace}, ${workspace}, 1)`.execute(kysely);
  }
  const grants = [
    ["a1", "ada", "w1", "cursor", 1],
    ["a2", "ada", "w1", "cursor", 3],
    ["a3", "ada", "w1", "cursor", 2],
    ["a4", "ada", "w1", "cursor", 3],
    ["b1", "ada", "w2", "cursor", 1],
    ["c1", "ada", "w1", "claude", 1],
    ["d1", "bob", "w1", "cursor", 1],
  ] as const;
  for (const [id, user, workspace, client, at] of grants) {
    await sql`insert into oauth_grants (id, user_id, workspace_id, client_id, client_name, scopes, created_at)
      values (${id}, ${user}, ${workspace}, ${client}, ${client}, 'mcp:read', ${at})`.execute(
      kysely,
    );
    for (const model of ["AccessToken", "RefreshToken"]) {
      await sql`insert into oauth_records (model, id, payload, grant_id, created_at)
        values (${model}, ${`${model} of ${id}`}, '{}', ${id}, 1)`.execute(kysely);
    }
    await sql`insert into oauth_records (model, id, payload, created_at)
      values ('Grant', ${id}, '{}', 1)`.execute(kysely);
  }
  await up(tables);
  const left = ["a4", "b1", "c1", "d1"];
  const rows = await kysely.selectFrom("oauth_grants").select("id").orderBy("id").execute();
  expect(rows.map(({ id }) => id)).toEqual(left);
  const records = await kysely.selectFrom("oauth_records").select(["model", "id"]).execute();
  const expected = left.flatMap((id) => [
    { model: "AccessToken", id: `AccessToken of ${id}` },
    { model: "RefreshToken", id: `RefreshToken of ${id}` },
    { model: "Grant", id },
  ]);
  expect(records).toHaveLength(expected.length);
  expect(records).toEqual(expect.arrayContaining(expected));
  const twice = sql`insert into oauth_grants (id, user_id, workspace_id, client_id, client_name, scopes, created_at)
    values ('a5', 'ada', 'w1', 'cursor', 'Cursor', 'mcp:read', 4)`;
  await expect(twice.execute(kysely)).rejects.toThrow(/unique/i);
});
