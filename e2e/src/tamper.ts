import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { dialect } from "./database.ts";
import type { Server } from "./server.ts";

/** Changes the database directly, and returns the number of changed rows. */
export async function tamper(server: Server, statement: string): Promise<number> {
  if (dialect === "sqlite") {
    const file = join(server.dataDir, "toolhost.db");
    const database = new DatabaseSync(file, { timeout: 10_000 });
    const { changes } = database.prepare(statement).run();
    database.close();
    return Number(changes);
  }
  const client = new pg.Client({ connectionString: server.settings["DATABASE_URL"] });
  await client.connect();
  const { rowCount } = await client.query(statement);
  await client.end();
  return rowCount ?? 0;
}
