import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { newId } from "../../server/src/lib/ids.ts";
import { createSyntheticText } from "../../server/testing/search/synthetic-tools.ts";
import { countPages } from "./history-rows.ts";

/** The database of a service, with the rows of its tools. */
export type ToolStore = {
  /** Copies a published tool with other names, texts and schemas, as if each were created. */
  copyTool(name: string, copies: number): Promise<void>;
  /** Tools that are not archived. */
  countTools(): Promise<number>;
  /** Audit events that the service has to seal yet. */
  countUnsealed(): Promise<number>;
  /** The pages that all statements have read so far; undefined if the database does not count them. */
  countPages(): Promise<number | undefined>;
  close(): Promise<void>;
};

type Row = Record<string, unknown>;
type Execute = (statement: string, values?: string[]) => Promise<Row[]>;

/** SQL that differs between the databases: a parameter, and a table `copy` of the values of a parameter with JSON. */
type Words = { parameter: string; copies: string; begin: string };

const copiesAtOnce = 1_000;

/** Opens a PostgreSQL database that the service has migrated. */
export async function openPostgresTools(url: string): Promise<ToolStore> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const execute: Execute = async (statement, values) =>
    (await client.query<Row>(statement, values)).rows;
  const words = {
    parameter: "$1",
    copies: "json_array_elements($1::json) as copy (value)",
    begin: "begin",
  };
  const store = createStore(execute, words);
  return {
    ...store,
    copyTool: async (name, copies) => {
      await store.copyTool(name, copies);
      // Autovacuum would have done it eventually.
      for (const table of ["tools", "tool_versions", "audit_events", "workspaces"]) {
        await client.query(`vacuum analyze ${table}`);
      }
    },
    countPages: () => countPages(client),
    close: () => client.end(),
  };
}

/** Opens a running service's embedded database. */
export function openSqliteTools(file: string): ToolStore {
  const database = new DatabaseSync(file);
  database.exec("pragma busy_timeout = 10000");
  const execute: Execute = async (statement, values = []) =>
    database.prepare(statement).all(...values);
  const words = { parameter: "?", copies: "json_each(?) as copy", begin: "begin immediate" };
  return {
    ...createStore(execute, words),
    countPages: async () => undefined,
    close: async () => database.close(),
  };
}

function createStore(execute: Execute, words: Words): Omit<ToolStore, "countPages" | "close"> {
  const count = async (rows: string) => {
    const [row] = await execute(`select count(*) as count from ${rows}`);
    return Number(row?.["count"]);
  };
  return {
    copyTool: async (name, copies) => {
      const synthetic = createSyntheticText();
      const query = `select tools.id, tools.workspace_id, definition from tools join tool_versions
        on tool_id = tools.id and version = live_version where name = ${words.parameter}`;
      const [source] = await execute(query, [name]);
      if (source === undefined) throw new Error(`There is no tool ${name}`);
      for (let at = 0; at < copies; at += copiesAtOnce) {
        const length = Math.min(copiesAtOnce, copies - at);
        const made = Array.from({ length }, (_, index) =>
          copyOf(source, synthetic.tool(at + index)),
        );
        await insertCopies(execute, words, source, made);
      }
    },
    countTools: () => count("tools where archived_at is null"),
    countUnsealed: () => count("audit_events where sequence is null"),
  };
}

type Text = ReturnType<ReturnType<typeof createSyntheticText>["tool"]>;

function copyOf(source: Row, { title, description, inputSchema }: Text) {
  const definition = JSON.parse(String(source["definition"])) as Row;
  const id = newId();
  return {
    id,
    version_id: newId(),
    event_id: newId(),
    name: `${title.replaceAll(/[^a-z0-9]+/g, "_").slice(0, 50)}_${id.slice(-12)}`,
    title,
    description,
    definition: JSON.stringify({ ...definition, inputSchema }),
  };
}

/** SQL for a text of a copy. */
const text = (name: string) => `copy.value->>'${name}'`;

/** Inserts what the creation of a tool writes: the tool, its version and an event, and the revision of the workspace. */
async function insertCopies(
  execute: Execute,
  { copies, parameter, begin }: Words,
  source: Row,
  made: readonly ReturnType<typeof copyOf>[],
): Promise<void> {
  const workspaceId = String(source["workspace_id"]);
  const values = [JSON.stringify(made)];
  const from = `from tools cross join ${copies} where tools.id = '${String(source["id"])}'`;
  const update = `update workspaces set tools_revision = tools_revision + ${made.length}
    where id = ${parameter} returning tools_revision`;
  await execute(begin);
  const [workspace] = await execute(update, [workspaceId]);
  const revision = Number(workspace?.["tools_revision"]) - made.length;
  await execute(
    `insert into tools (id, workspace_id, owner_user_id, name, visibility, live_version, revision, created_at, updated_at)
    select ${text("id")}, workspace_id, owner_user_id, ${text("name")}, visibility, 1,
      ${revision} + row_number() over (order by ${text("id")}), created_at, updated_at ${from}`,
    values,
  );
  await execute(
    `insert into tool_versions (id, tool_id, workspace_id, version, title, description, definition, source, bundle,
      bundle_hash, source_map, created_by, created_at, vouched, size)
    select ${text("version_id")}, ${text("id")}, v.workspace_id, 1, ${text("title")}, ${text("description")},
      ${text("definition")}, source, bundle, bundle_hash, source_map, created_by, v.created_at, vouched, size
    from tool_versions as v cross join ${copies} where v.version = 1 and v.tool_id = '${String(source["id"])}'`,
    values,
  );
  await execute(
    `insert into audit_events (id, workspace_id, at, actor, user_id, via, action, target, outcome, details)
    select ${text("event_id")}, workspace_id, created_at, '{"userId":"' || owner_user_id || '"}', owner_user_id,
      'rest', 'tool.create', ${text("name")}, 'success', '{"version":1}' ${from}`,
    values,
  );
  await execute("commit");
}
