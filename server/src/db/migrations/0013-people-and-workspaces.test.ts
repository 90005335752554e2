import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import type { Kysely } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openPostgres, openSqlite } from "#db";
import type { Database } from "#db";
import { sha256 } from "#lib/hash";
import { createDatabase } from "#testing/template";
import { up as createTables } from "./0001-initial.ts";
import { up } from "./0013-people-and-workspaces.ts";

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

it("keeps people signed in, and their tokens no longer in clear", async () => {
  const { kysely, dialect } = db;
  // Migrations know no tables but those of their own time.
  const tables = kysely as unknown as Kysely<unknown>;
  await createTables(tables, dialect);
  const at = "2026-01-01T10:00:00.000Z";
  const isVerified = dialect === "postgres" ? sql`true` : sql`1`;
  await sql`insert into users (id, name, email, email_verified, created_at, updated_at)
    values ('ada', 'Ada', 'ada@example.com', ${isVerified}, ${at}, ${at})`.execute(kysely);
  for (const token of ["first-token", "second-token"]) {
    await sql`insert into sessions (id, user_id, token, expires_at, created_at, updated_at)
      values (${`of ${token}`}, 'ada', ${token}, ${at}, ${at}, ${at})`.execute(kysely);
  }
  await up(tables, dialect);
  const rows = await kysely.selectFrom("sessions").select(["id", "token"]).orderBy("id").execute();
  expect(rows).toEqual([
    { id: "of first-token", token: sha256("first-token") },
    { id: "of second-token", token: sha256("second-token") },
  ]);
});
