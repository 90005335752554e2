import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { draftOf, expectStatus } from "../src/server.ts";
import type { Server } from "../src/server.ts";
import { openSqliteHistory } from "./history-rows.ts";

/** 14 of 20 generated rows belong to the workspace. */
const ownShare = 14 / 20;
const runIntervalMs = 1_000;
const subjects = ["weather", "invoice", "order", "customer", "report", "ticket", "page", "image"];

/** Writes tools and runs to the embedded database of a server. */
export async function fillServer(
  server: Server,
  { tools, runs }: { tools: number; runs: number },
): Promise<void> {
  const file = join(server.dataDir, "toolhost.db");
  await addTools(server, file, tools);
  const { body: me } = expectStatus(200, await server.callAsOwner("GET", "/me"));
  const rows = Math.ceil(runs / ownShare);
  const history = openSqliteHistory(file, {
    workspaceId: String(me.workspace.id),
    userId: String(me.user.id),
    startMs: Date.now() - rows * runIntervalMs,
    stepMs: runIntervalMs,
  });
  await history.fillTo(rows);
  await history.close();
}

/** Creates a tool for each subject, and copies them with their own names and titles. */
async function addTools(server: Server, file: string, count: number): Promise<void> {
  for (const subject of subjects) {
    const definition = draftOf("export default async () => ({});");
    expectStatus(
      201,
      await server.callAsOwner("POST", "/tools", {
        ...definition,
        title: `Read ${subject}`,
        description: `Reads one ${subject} by its number, for people who plan their work.`,
      }),
    );
  }
  const database = new DatabaseSync(file);
  try {
    database.exec("pragma busy_timeout = 10000; begin immediate");
    copyRows(database, count - subjects.length);
    // Search indexes are read again when this changes.
    database.exec("update workspaces set tools_revision = tools_revision + 1");
    database.exec("commit");
  } finally {
    database.close();
  }
}

function copyRows(database: DatabaseSync, count: number): void {
  const id = "printf('01900000-0000-7000-9000-%012x', n)";
  database.exec(`create temp table originals as
    select row_number() over (order by id) - 1 as at, id from tools`);
  const copy = (table: string, changed: Readonly<Record<string, string>>, key: string) => {
    const columns = database
      .prepare("select name from pragma_table_info(?)")
      .all(table)
      .map((row) => String(row["name"]));
    const values = columns.map((column) => changed[column] ?? `source.${column}`);
    database.exec(`with recursive numbers (n) as (
        select 1 union all select n + 1 from numbers where n < ${count})
      insert into ${table} (${columns.join(", ")}) select ${values.join(", ")}
      from numbers join originals on originals.at = n % ${subjects.length}
      join ${table} source on source.${key} = originals.id`);
  };
  copy("tools", { id, name: "'copy_' || n || '_abcd'" }, "id");
  copy("tool_versions", { id, tool_id: id, title: "source.title || ' ' || n" }, "tool_id");
}
